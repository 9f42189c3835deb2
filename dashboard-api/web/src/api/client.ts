/**
 * The one way to the API. What may be asked and what is answered follows from openapi.yaml:
 * schema.ts is made from it at each build, so a page that asks for what isn't there doesn't compile.
 */
import type { paths, Problem } from "./schema";

type JsonOf<Operation> = Operation extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** Paths that answer a GET with JSON. */
export type Readable = {
  [P in keyof paths]: paths[P] extends { get: infer Get }
    ? [JsonOf<Get>] extends [never]
      ? never
      : P
    : never;
}[keyof paths];

export type Answer<P extends Readable> = paths[P] extends { get: infer Get } ? JsonOf<Get> : never;

type Parameters<P extends keyof paths, In extends "query" | "path"> = paths[P] extends {
  get: { parameters: infer Given };
}
  ? In extends keyof Given
    ? NonNullable<Given[In]>
    : Record<string, never>
  : Record<string, never>;

/** The query parameters of a path; a missing value, null or empty list leaves it out. */
export type Query<P extends keyof paths> = {
  [Name in keyof Parameters<P, "query">]?: Parameters<P, "query">[Name] | null;
};

/** What is asked: its address, and at compile time the type of the answer. */
export interface Question<T> {
  readonly url: string;
  /** Never there: it carries the answer's type. */
  readonly answer?: T;
}

/** Paths that answer a POST with JSON. */
type Postable = {
  [P in keyof paths]: paths[P] extends { post: object } ? P : never;
}[keyof paths];

type PostOf<P extends Postable> = paths[P] extends { post: infer Post } ? Post : never;

type BodyOf<P extends Postable> =
  PostOf<P> extends { requestBody: { content: { "application/json": infer Body } } } ? Body : never;

type PostedAnswer<P extends Postable> =
  PostOf<P> extends { responses: infer Responses }
    ? {
        [Status in keyof Responses]: Status extends 200 | 201 | 202
          ? Responses[Status] extends { content: { "application/json": infer Json } }
            ? Json
            : never
          : never;
      }[keyof Responses]
    : never;

/** What is sent: its address and body, and at compile time the type of the answer. */
export interface Posting<T> {
  readonly url: string;
  readonly body: unknown;
  readonly answer?: T;
}

/** A question with a body, ready to be sent. */
export function posting<P extends Postable>(path: P, body: BodyOf<P>): Posting<PostedAnswer<P>> {
  return { url: address(path), body };
}

/** Sends a body and returns what is answered. */
export async function post<T>({ url, body }: Posting<T>): Promise<T> {
  return (await request("POST", url, body)) as T;
}

/** A question to a resource, ready to be asked or linked to. */
export function ask<P extends Readable>(
  path: P,
  query: Query<P> = {},
  inPath: Parameters<P, "path"> | Record<string, never> = {},
): Question<Answer<P>> {
  return { url: address(path, query, inPath) };
}

/** The address of a resource, relative to the page, so that it also works below a proxy's path. */
export function address(path: string, query: object = {}, inPath: object = {}): string {
  const filled = Object.entries(inPath).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    path.replace(/^\//, ""),
  );
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined) {
        params.append(name, String(one));
      }
    }
  }
  const text = params.toString();
  return text === "" ? filled : `${filled}?${text}`;
}

/** A problem in words: the API's own, or why it wasn't reached. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** The HTTP status; 0 when there was no answer. */
    readonly status: number,
    /** Seconds after which it may work, where the API says so. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** Reads a resource. */
export async function read<T>(question: Question<T>, signal?: AbortSignal): Promise<T> {
  return (await request("GET", question.url, undefined, signal)) as T;
}

/** So often is asked again what had to wait too long for its turn. */
const RETRIES = 3;

/** Asks again, when the API says after how long, what it refused for being busy. */
export async function patiently<T>(
  answer: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  wait: (seconds: number) => Promise<void> = seconds,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await answer(signal);
    } catch (error) {
      const busy = error instanceof ApiError && error.status === 429 ? error : null;
      if (busy?.retryAfterSeconds == null || tried === RETRIES || signal.aborted) {
        throw error;
      }
      await wait(busy.retryAfterSeconds);
      signal.throwIfAborted();
    }
  }
}

function seconds(length: number): Promise<void> {
  return new Promise((done) => setTimeout(done, length * 1000));
}

/**
 * Sends a request; the answer's JSON, or undefined when it has no body.
 *
 * @throws ApiError in words for people
 */
export async function request(
  method: "GET" | "POST" | "PUT" | "DELETE",
  url: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(url, {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) {
      throw error;
    }
    throw new ApiError("The API can't be reached: is it still running?", 0);
  }
  if (!answer.ok) {
    const after = Number(answer.headers.get("retry-after") ?? Number.NaN);
    throw new ApiError(
      await problemText(answer),
      answer.status,
      Number.isFinite(after) ? after : null,
    );
  }
  return answer.status === 204 ? undefined : ((await answer.json()) as unknown);
}

async function problemText(answer: Response): Promise<string> {
  try {
    const problem = (await answer.json()) as Problem;
    const wrong = (problem.errors ?? []).map(
      (one) => `${one.parameter}: ${one.detail}; ${one.remedy}.`,
    );
    // Where each parameter is told, the detail says the same once more.
    const what = wrong.length > 0 ? wrong : [`${problem.detail}.`];
    return [`${problem.title}.`, ...what].join(" ");
  } catch {
    return `The API answered with status ${answer.status}.`;
  }
}
