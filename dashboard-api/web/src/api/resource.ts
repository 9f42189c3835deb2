import { useCallback, useEffect, useState } from "preact/hooks";
import { ApiError, type Question, read } from "./client";

/** What is known of a resource: data may stand beside an error, when it is older than that. */
export interface Resource<T> {
  /** Where it is read from, for people and for tools. */
  url: string;
  data: T | null;
  error: ApiError | null;
  loading: boolean;
  retry: () => void;
}

interface Known<T> {
  url: string;
  data: T | null;
  error: ApiError | null;
  loading: boolean;
}

/** Whoever wants to know that a token is missing or no longer good. */
const refusals = new EventTarget();

/** Calls back when the API asks who is there; answers how to stop that. */
export function onUnauthorized(call: () => void): () => void {
  refusals.addEventListener("unauthorized", call);
  return () => refusals.removeEventListener("unauthorized", call);
}

/** Reads a resource when the question changes and at every tick; null asks nothing. */
export function useResource<T>(question: Question<T> | null, tick: number): Resource<T> {
  const url = question?.url ?? "";
  const [known, setKnown] = useState<Known<T>>({ url, data: null, error: null, loading: true });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (url === "") {
      return undefined;
    }
    const abort = new AbortController();
    setKnown((before) =>
      before.url === url
        ? { ...before, loading: true }
        : { url, data: null, error: null, loading: true },
    );
    read<T>({ url }, abort.signal).then(
      (data) => setKnown({ url, data, error: null, loading: false }),
      (failure: unknown) => {
        if (abort.signal.aborted) {
          return;
        }
        const error = failure instanceof ApiError ? failure : new ApiError(String(failure), 0);
        setKnown((before) => ({ ...before, url, error, loading: false }));
        if (error.status === 401) {
          refusals.dispatchEvent(new Event("unauthorized"));
        }
      },
    );
    return () => abort.abort();
  }, [url, tick, attempt]);
  const retry = useCallback(() => setAttempt((n) => n + 1), []);
  // What belongs to the question before is never shown as the answer to this one.
  return known.url === url
    ? { ...known, retry }
    : { url, data: null, error: null, loading: true, retry };
}

/** One resource made of another's answer; its address and errors stay. */
export function mapped<T, U>(resource: Resource<T>, change: (data: T) => U): Resource<U> {
  return { ...resource, data: resource.data === null ? null : change(resource.data) };
}
