import { Copy } from "./copy";

/** The API call behind a panel, to open or to take to a shell. */
export function ApiCall({ url }: { url: string }) {
  if (url === "") {
    return null;
  }
  return (
    <>
      <a href={url} target="_blank" rel="noreferrer">
        Open the API’s answer
      </a>
      <Copy label="API call" text={`curl '${new URL(url, document.baseURI).href}'`} />
    </>
  );
}
