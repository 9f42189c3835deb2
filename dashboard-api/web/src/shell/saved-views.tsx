import { useState } from "preact/hooks";
import { address, ask, post, posting, request } from "../api/client";
import { useAction, useResource } from "../api/resource";
import type { View as SavedView } from "../api/schema";
import { ViewLink } from "../parts/figure";
import { Menu } from "../parts/menu";
import { Said } from "../parts/said";
import { useMay } from "../state/me";
import { usePlace } from "../state/place";
import { formatView, parseView, type View } from "../state/view";

/** Views that somebody gave a name, to come back to. */
export function SavedViews() {
  return (
    <Menu label="Saved views" sign="☆" id="saved-views">
      <List />
    </Menu>
  );
}

function List() {
  const { view, tick } = usePlace();
  const may = useMay("views");
  const [changed, setChanged] = useState(0);
  const saved = useResource(ask("/api/v1/views"), tick + changed);
  const [name, setName] = useState("");
  const again = () => setChanged((n) => n + 1);
  const save = useAction(async () => {
    await post(
      posting("/api/v1/views", {
        name: name.trim(),
        page: view.page,
        query: formatView(view).slice(1),
      }),
    );
    setName("");
    again();
  });
  const remove = useAction(async (id: string) => {
    await request("DELETE", address("/api/v1/views/{id}", {}, { id }));
    again();
  });
  return (
    <>
      {saved.error !== null && <p class="problem">{saved.error.message}</p>}
      {saved.data?.views.length === 0 && <p class="quiet">No view has been saved.</p>}
      <ul class="saved">
        {(saved.data?.views ?? []).map((one) => (
          <li key={one.id}>
            <span data-testid="saved-view">
              <ViewLink view={viewOf(one)}>{one.name}</ViewLink>
            </span>
            {may && (
              <button
                type="button"
                class="chip"
                data-testid="remove-view"
                aria-label={`Remove the view ${one.name}`}
                onClick={() => remove.run(one.id)}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {may ? (
        <form
          class="custom"
          onSubmit={(event) => {
            event.preventDefault();
            save.run();
          }}
        >
          <label>
            Name
            <input
              data-testid="view-name"
              value={name}
              required
              maxLength={100}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <button type="submit" data-testid="save-view" disabled={save.busy}>
            Save this view
          </button>
        </form>
      ) : (
        <p class="quiet">Saving one needs the role operator; the address keeps all, too.</p>
      )}
      <Said action={save} />
      <Said action={remove} />
    </>
  );
}

/** The page that a saved query is of stands in the query, but for the first. */
function viewOf(saved: SavedView): View {
  return parseView(`?${saved.query}`);
}
