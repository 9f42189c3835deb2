import { ask } from "../api/client";
import { useResource } from "../api/resource";
import { Copy } from "./copy";

/** The SQL behind a panel, to be pasted into clickhouse-client; it is read once, when it is shown. */
export function SqlPart({ call, id, close }: { call: string; id: string; close: () => void }) {
  const sql = useResource(ask("/api/v1/sql", { call }), 0);
  return (
    <section class="part sql" aria-labelledby={`${id}-sql-title`} data-testid={`${id}-sql`}>
      <div class="copy-head">
        <h3 id={`${id}-sql-title`}>The SQL behind this</h3>
        <button type="button" class="chip" onClick={close}>
          Close
        </button>
      </div>
      <p class="note">
        For <code>clickhouse-client --multiquery --database capacity</code>, or whatever the database
        is called; read only. The API asks these one after the other, and computes the rest itself.
      </p>
      {sql.loading && <p class="loading">Loading…</p>}
      {sql.error !== null && (
        <p class="problem" role="alert">
          {sql.error.message}
        </p>
      )}
      {(sql.data?.queries ?? []).map((query, i) => (
        <Copy key={`${query.name} ${i}`} label={query.name} text={query.script} />
      ))}
    </section>
  );
}

/** The call as /api/v1/sql takes it; null where there is none to ask about. */
export function callOf(url: string, body: string | undefined): string | null {
  if (url === "") {
    return null;
  }
  if (body === undefined) {
    return `/${url}`;
  }
  // What is asked with a body is a replay: it reads the calls of its period.
  const { from, to } = JSON.parse(body) as { from?: string; to?: string };
  return from === undefined || to === undefined
    ? null
    : `/${url}?${new URLSearchParams({ from, to }).toString()}`;
}
