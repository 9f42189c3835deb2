import { useCallback, useEffect, useState } from "preact/hooks";
import { ApiError, patiently, type Posting, type Question, read, request } from "./client";

/** What is known of a resource: data may stand beside an error, when it is older than that. */
export interface Resource<T> {
  /** Where it is read from, for people and for tools. */
  url: string;
  /** What is sent there as JSON; without it, it is a GET. */
  body?: string;
  data: T | null;
  error: ApiError | null;
  loading: boolean;
  retry: () => void;
}

interface Known<T> {
  key: string;
  data: T | null;
  error: ApiError | null;
  loading: boolean;
}

const NOTHING = { key: "", data: null, error: null, loading: true } as const;

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
  return useAnswer<T>(url, tick, (signal) => read<T>({ url }, signal));
}

/**
 * The answer to a question with a body, asked anew a little after it has stopped changing.
 *
 * @param quietMs how long it must have stayed the same
 */
export function usePosted<T>(
  posting: Posting<T> | null,
  tick: number,
  quietMs: number,
): Resource<T> {
  const url = posting?.url ?? "";
  const body = posting === null ? "" : JSON.stringify(posting.body);
  const key = posting === null ? "" : `${url} ${body}`;
  const [settled, setSettled] = useState(key);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), quietMs);
    return () => clearTimeout(timer);
  }, [key, quietMs]);
  const answer = useAnswer<T>(settled === key ? key : "", tick, (signal) =>
    request("POST", url, posting?.body, signal).then((json) => json as T),
  );
  return { ...answer, url, body };
}

/** What a question was answered; an empty key asks nothing. */
function useAnswer<T>(
  key: string,
  tick: number,
  answer: (signal: AbortSignal) => Promise<T>,
): Resource<T> {
  const [known, setKnown] = useState<Known<T>>({ ...NOTHING, key });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (key === "") {
      return undefined;
    }
    const abort = new AbortController();
    setKnown((before) =>
      before.key === key ? { ...before, loading: true } : { ...NOTHING, key },
    );
    patiently(answer, abort.signal).then(
      (data) => setKnown({ key, data, error: null, loading: false }),
      (failure: unknown) => {
        if (abort.signal.aborted) {
          return;
        }
        const error = failure instanceof ApiError ? failure : new ApiError(String(failure), 0);
        setKnown((before) => ({ ...before, key, error, loading: false }));
        if (error.status === 401) {
          refusals.dispatchEvent(new Event("unauthorized"));
        }
      },
    );
    return () => abort.abort();
  }, [key, tick, attempt]);
  const retry = useCallback(() => setAttempt((n) => n + 1), []);
  // What belongs to the question before is never shown as the answer to this one.
  const { data, error, loading } = known.key === key ? known : NOTHING;
  return { url: key, data, error, loading, retry };
}

/** What an action that changes something is doing. */
export interface Action<A extends unknown[]> {
  run: (...args: A) => void;
  busy: boolean;
  error: ApiError | null;
}

/** Runs something that changes the API's state, one at a time, and tells what became of it. */
export function useAction<A extends unknown[]>(
  act: (...args: A) => Promise<void>,
): Action<A> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const run = (...args: A) => {
    setBusy(true);
    setError(null);
    act(...args)
      .catch((failure: unknown) =>
        setError(failure instanceof ApiError ? failure : new ApiError(String(failure), 0)),
      )
      .finally(() => setBusy(false));
  };
  return { run, busy, error };
}
