import type { ComponentChildren } from "preact";
import { local, utc } from "./format";
import type { Resource } from "./hooks";
import { formatView, type View } from "./state";

/** A moment in UTC; the reader's own time on hover. */
export function Time({ at, seconds = true }: { at: string; seconds?: boolean }) {
  return (
    <time dateTime={at} title={local(at)}>
      {utc(at, seconds)}
    </time>
  );
}

/** A number that tests and people can name: its text is formatted, data-value is not. */
export function Figure({
  id,
  value,
  children,
}: {
  id: string;
  value: string | number | null;
  children: ComponentChildren;
}) {
  return (
    <span class="figure" data-testid={id} data-value={value === null ? "" : String(value)}>
      {children}
    </span>
  );
}

/** A link to another view of this page: a real address, followed without a reload. */
export function ViewLink({
  view,
  place,
  navigate,
  children,
  label,
}: {
  view: View;
  place?: string;
  navigate: (view: View, place?: string) => void;
  children: ComponentChildren;
  label?: string;
}) {
  return (
    <a
      href={`${location.pathname}${formatView(view)}${place ?? ""}`}
      {...(label === undefined ? {} : { "aria-label": label, title: label })}
      onClick={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
          event.preventDefault();
          navigate(view, place);
        }
      }}
    >
      {children}
    </a>
  );
}

/**
 * One part of the page, with its own states: loading, error, empty, partial and whole. What was
 * loaded before stays to be seen beside an error.
 */
export function Panel<T>({
  id,
  title,
  note,
  api,
  resource,
  empty,
  partial,
  wide = false,
  children,
}: {
  id: string;
  title: string;
  note?: ComponentChildren;
  api: string;
  resource: Resource<T>;
  empty?: (data: T) => string | null;
  partial?: (data: T) => string | null;
  wide?: boolean;
  children: (data: T) => ComponentChildren;
}) {
  const { data, error, loading } = resource;
  const emptyText = data !== null && empty !== undefined ? empty(data) : null;
  const partialText = data !== null && partial !== undefined ? partial(data) : null;
  const state =
    error !== null
      ? "error"
      : data === null
        ? "loading"
        : emptyText !== null
          ? "empty"
          : partialText !== null
            ? "partial"
            : "whole";
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
        <a class="quiet" href={api} aria-label={`${title}: the API's answer`}>
          JSON
        </a>
      </header>
      {note !== undefined && <p class="note">{note}</p>}
      {error !== null && (
        <p class="problem" role="alert">
          {error} {data !== null && "What is shown is from before. "}
          <button type="button" onClick={resource.retry}>
            Try again
          </button>
        </p>
      )}
      {state === "loading" && <p class="loading">Loading…</p>}
      {partialText !== null && <p class="partial">{partialText}</p>}
      {emptyText !== null ? <p class="empty">{emptyText}</p> : data !== null && children(data)}
    </section>
  );
}

/** A table that scrolls sideways by itself where the screen is narrow. */
export function TableFrame({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="table-frame" role="region" aria-label={label} tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

/** A share as a bar beside its number. */
export function Bar({ fraction, kind }: { fraction: number | null; kind: string }) {
  return (
    <span class="bar" aria-hidden="true">
      <span class={`fill ${kind}`} style={{ width: `${(fraction ?? 0) * 100}%` }} />
    </span>
  );
}
