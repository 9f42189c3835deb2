import { request } from "../api/client";
import { useAction } from "../api/resource";
import { Said } from "../parts/said";
import { useMe } from "../state/me";

/** Who the reader is to the API, and the way out. */
export function Account({ changed }: { changed: () => void }) {
  const me = useMe();
  const logOut = useAction(async () => {
    await request("DELETE", "api/v1/session");
    changed();
  });
  if (me === null) {
    return null;
  }
  return (
    <div class="account">
      <span>
        Role{" "}
        <strong data-testid="role" data-value={me.role}>
          {me.role}
        </strong>
        {me.token !== null && `, token ${me.token}`}
      </span>
      {me.tokens_defined && (
        <button type="button" data-testid="log-out" onClick={() => logOut.run()}>
          Log out
        </button>
      )}
      <Said action={logOut} />
    </div>
  );
}
