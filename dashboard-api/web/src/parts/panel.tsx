import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ApiError } from "../api/client";
import type { Resource } from "../api/resource";
import { Menu } from "./menu";
import { ApiCall } from "./api-call";
import { callOf, SqlPart } from "./sql";
import { AlarmDraft, type Draft } from "./alarm-draft";

export type PanelState = "loading" | "error" | "empty" | "partial" | "whole";

/**
 * One part of a page, with its own states: loading, error, empty, partial and whole. What was
 * loaded before stays to be seen beside an error. Its menu tells the API call and the SQL behind the numbers.
 */
export function Panel<T>({
  id,
  title,
  note,
  resource,
  empty,
  partial,
  remedy,
  alarm,
  wide = false,
  children,
}: {
  id: string;
  title: string;
  note?: ComponentChildren;
  resource: Resource<T>;
  /** Why there is nothing to show; null when there is something. */
  empty?: (data: T) => string | null;
  /** What is missing from what is shown; null when nothing is. */
  partial?: (data: T) => string | null;
  /** What helps against an error better than trying again; null when nothing does. */
  remedy?: (error: ApiError) => ComponentChildren;
  /** What an alarm made from this panel would watch. */
  alarm?: Draft | undefined;
  wide?: boolean;
  children: (data: T) => ComponentChildren;
}) {
  const { data, error, loading } = resource;
  // The call whose SQL was asked for: relative times in it stay as they were then.
  const [shownSql, setShownSql] = useState<string | null>(null);
  const call = callOf(resource.url, resource.body);
  const emptyText = data === null ? null : (empty?.(data) ?? null);
  const partialText = data === null ? null : (partial?.(data) ?? null);
  const state = stateOf(data, error, emptyText, partialText);
  return (
    <section
      id={id}
      class={wide ? "panel wide" : "panel"}
      aria-labelledby={`${id}-title`}
      aria-busy={loading}
      data-state={state}
      data-loading={loading}
      tabIndex={-1}
    >
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <Menu label={`${title}: more`} sign="⋯" id={`${id}-more`}>
          <ApiCall url={resource.url} body={resource.body} />
          {call !== null && (
            <button type="button" data-testid={`${id}-show-sql`} onClick={() => setShownSql(call)}>
              Show the SQL behind this
            </button>
          )}
          {alarm !== undefined && <AlarmDraft draft={alarm} />}
        </Menu>
      </header>
      {note !== undefined && <p class="note">{note}</p>}
      {error !== null && (
        <p class="problem" role="alert">
          {error.message} {data !== null && "What is shown is from before. "}
          {remedy?.(error) ?? (
            <button type="button" onClick={resource.retry}>
              Try again
            </button>
          )}
        </p>
      )}
      {state === "loading" && <p class="loading">Loading…</p>}
      {partialText !== null && <p class="partial">{partialText}</p>}
      {emptyText !== null ? <p class="empty">{emptyText}</p> : data !== null && children(data)}
      {shownSql !== null && <SqlPart id={id} call={shownSql} close={() => setShownSql(null)} />}
    </section>
  );
}

export function stateOf(
  data: unknown,
  error: unknown,
  empty: string | null,
  partial: string | null,
): PanelState {
  if (error !== null) {
    return "error";
  }
  if (data === null) {
    return "loading";
  }
  return empty !== null ? "empty" : partial !== null ? "partial" : "whole";
}
