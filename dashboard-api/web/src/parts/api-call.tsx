import { Copy } from "./copy";

/** The API call behind a panel, to open or to take to a shell. */
export function ApiCall({ url, body }: { url: string; body?: string | undefined }) {
  if (url === "") {
    return null;
  }
  const full = new URL(url, document.baseURI).href;
  return (
    <>
      {body === undefined && (
        <a href={url} target="_blank" rel="noreferrer">
          Open the API’s answer
        </a>
      )}
      <Copy
        label="API call"
        text={
          body === undefined
            ? `curl '${full}'`
            : `curl -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}' '${full}'`
        }
      />
    </>
  );
}
