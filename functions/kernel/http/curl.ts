/** The data for an example call. */
export interface Call {
  method: string;
  /** The path with its parameters in place. */
  path: string;
  query: Readonly<Record<string, string>>;
  body: unknown;
  /** True if the operation needs an API key. */
  isKeyed: boolean;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A path with a query. */
export const renderAddress = ({ path, query }: Pick<Call, 'path' | 'query'>): string =>
  Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query).toString()}` : path;

/** A curl command for a shell. */
export function renderCurl(baseUrl: string, { method, path, query, body, isKeyed: needsKey }: Call): string {
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  const lines = [`curl${isImplied ? '' : ` -X ${method}`} ${quoted(baseUrl + renderAddress({ path, query }))}`];
  if (needsKey) lines.push('-H "Authorization: Bearer $GATEHOUSE_API_KEY"');
  if (body !== undefined) {
    const text = JSON.stringify(body);
    lines.push(
      `-H 'Content-Type: application/json'`,
      `-d ${quoted(text.length > 60 ? JSON.stringify(body, null, 2) : text)}`,
    );
  }
  return lines.join(' \\\n  ');
}
