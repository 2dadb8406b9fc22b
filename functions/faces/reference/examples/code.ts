/** A request whose code is shown: with its parameters in place and its query. */
export interface CodeRequest {
  method: string;
  /** The whole address. */
  url: string;
  body: unknown;
  /** True if the operation needs an API key. */
  isKeyed: boolean;
}

/** A language of examples in addition to curl. */
export type Language = 'node' | 'python' | 'go' | 'java';

/** Names of the languages for readers. */
export const LANGUAGE_TITLES: Readonly<Record<Language, string>> = {
  node: 'Node',
  python: 'Python',
  go: 'Go',
  java: 'Java',
};

/** The code of a request in a language, with its standard library. Tests execute it for each recorded example. */
export const renderCode = (language: Language, request: CodeRequest): string => RENDERERS[language](request);

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

function renderNode({ method, url, body, isKeyed }: CodeRequest): string {
  const headers = [
    isKeyed && 'Authorization: `Bearer ${process.env.GATEHOUSE_API_KEY}`',
    body !== undefined && "'Content-Type': 'application/json'",
  ].filter(Boolean);
  const options = [
    method !== 'GET' && `method: '${method}',`,
    headers.length > 0 && `headers: { ${headers.join(', ')} },`,
    body !== undefined && `body: JSON.stringify(${indent(JSON.stringify(body, null, 2), '  ')}),`,
  ].filter(Boolean);
  const given = options.length > 0 ? `, {\n  ${options.join('\n  ')}\n}` : '';
  return `const response = await fetch(${JSON.stringify(url)}${given});
if (!response.ok) throw new Error(await response.text());
const text = await response.text();
const result = text && JSON.parse(text);`;
}

/** A value as Python writes it. */
function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, own]) => `${JSON.stringify(name)}: ${pythonValue(own)}`);
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}

function renderPython({ method, url, body, isKeyed }: CodeRequest): string {
  const headers = [
    isKeyed && `"Authorization": f"Bearer {os.environ['GATEHOUSE_API_KEY']}"`,
    body !== undefined && '"Content-Type": "application/json"',
  ].filter(Boolean);
  const options = [
    JSON.stringify(url),
    `method="${method}"`,
    headers.length > 0 && `headers={${headers.join(', ')}}`,
    body !== undefined && `data=json.dumps(${pythonValue(body)}).encode()`,
  ].filter(Boolean);
  return `import json, os, urllib.request

request = urllib.request.Request(
    ${options.join(',\n    ')},
)
with urllib.request.urlopen(request) as response:
    text = response.read()
    result = json.loads(text) if text else None`;
}

/** A text as a raw string of Go, or an interpreted one if it has a backquote. */
const goText = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

function renderGo({ method, url, body, isKeyed }: CodeRequest): string {
  const content = body === undefined ? 'nil' : `strings.NewReader(${goText(JSON.stringify(body, null, 2))})`;
  return [
    `request, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${content})`,
    'if err != nil {\n\treturn err\n}',
    isKeyed && 'request.Header.Set("Authorization", "Bearer "+os.Getenv("GATEHOUSE_API_KEY"))',
    body !== undefined && 'request.Header.Set("Content-Type", "application/json")',
    'response, err := http.DefaultClient.Do(request)',
    'if err != nil {\n\treturn err\n}',
    'defer response.Body.Close()',
    'result, err := io.ReadAll(response.Body)',
  ]
    .filter(Boolean)
    .join('\n');
}

function renderJava({ method, url, body, isKeyed }: CodeRequest): string {
  const text = body === undefined ? undefined : JSON.stringify(JSON.stringify(body));
  const publisher =
    text === undefined ? 'HttpRequest.BodyPublishers.noBody()' : `HttpRequest.BodyPublishers.ofString(${text})`;
  const steps = [
    isKeyed && '.header("Authorization", "Bearer " + System.getenv("GATEHOUSE_API_KEY"))',
    body !== undefined && '.header("Content-Type", "application/json")',
    `.method("${method}", ${publisher})`,
    '.build();',
  ].filter(Boolean);
  return `HttpRequest request = HttpRequest.newBuilder(URI.create(${JSON.stringify(url)}))
    ${steps.join('\n    ')}
HttpResponse<String> response = HttpClient.newHttpClient()
    .send(request, HttpResponse.BodyHandlers.ofString());
String result = response.body();`;
}

const RENDERERS: Readonly<Record<Language, (request: CodeRequest) => string>> = {
  node: renderNode,
  python: renderPython,
  go: renderGo,
  java: renderJava,
};
