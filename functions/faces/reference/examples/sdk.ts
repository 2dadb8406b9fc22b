import type { Language } from './code.ts';
import { GO_METHODS } from './go-sdk.ts';
import { JAVA_METHODS } from './java-sdk.ts';
import { LITERALS, queryValues } from './literals.ts';
import { renderNodeCall } from './node-sdk.ts';
import { PYTHON_METHODS } from './python-sdk.ts';
import type { OperationExample } from './recorded.ts';

/** The request of an example. */
type Request = Pick<OperationExample, 'params' | 'query' | 'body'>;

const own = <T>(record: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(record, id) ? record[id] : undefined;

/** The fields of a request by name: parameters of the path, of the query and the body. */
function listFields({ params = {}, query = {}, body }: Request): Record<string, unknown> | undefined {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (body !== undefined && !isObject) return undefined;
  return { ...params, ...queryValues(query), ...body };
}

/** The values of all fields in a language; undefined if one of them needs a class of the SDK. */
function renderValues(language: Exclude<Language, 'node'>, request: Request): Record<string, string> | undefined {
  const fields = listFields(request);
  const rendered = Object.entries(fields ?? {}).map(([name, value]) => [name, LITERALS[language](value)] as const);
  if (fields === undefined || rendered.some(([, text]) => text === undefined)) return undefined;
  return Object.fromEntries(rendered) as Record<string, string>;
}

function renderPythonCall(id: string, request: Request): string | undefined {
  const method = own(PYTHON_METHODS, id);
  const values = renderValues('python', request);
  if (method === undefined || values === undefined) return undefined;
  const isInPath = (name: string): boolean => Object.hasOwn(request.params ?? {}, name);
  const given = Object.entries(values).map(([name, value]) => (isInPath(name) ? value : `${name}=${value}`));
  return `result = client.${method}(${given.join(', ')})`;
}

function renderGoCall(id: string, request: Request): string | undefined {
  const method = own(GO_METHODS, id);
  const values = renderValues('go', request);
  if (method === undefined || values === undefined) return undefined;
  const { in: from, name, options, fields, isVoid } = method;
  if (Object.keys(values).some((field) => !Object.hasOwn(fields, field))) return undefined;
  // A map has a type of its own in the package, with the name of the field.
  const given = Object.entries(values).map(([field, value]) => {
    const own = fields[field] ?? '';
    return `${own}: ${value.replace(/^map\[string\]string/, `${from}.${own}`)}`;
  });
  const key = 'os.Getenv("GATEHOUSE_API_KEY")';
  const url = 'os.Getenv("GATEHOUSE_URL")';
  // This package sets its HTTP client only in its constructor.
  const client =
    from === 'usermanagement'
      ? `client := usermanagement.NewClient(${key})\nclient.Endpoint = ${url}`
      : `client := &${from}.Client{APIKey: ${key}, Endpoint: ${url}}`;
  const results = isVoid === true ? 'err' : 'result, err';
  return `${client}\n${results} := client.${name}(context.Background(), ${from}.${options}{${given.join(', ')}})`;
}

function renderJavaCall(id: string, request: Request): string | undefined {
  const method = own(JAVA_METHODS, id);
  const values = renderValues('java', request);
  if (method === undefined || values === undefined) return undefined;
  const { name, parameters, isVoid } = method;
  const isComplete = parameters.every((field) => Object.hasOwn(values, field));
  if (!isComplete || Object.keys(values).length > parameters.length) return undefined;
  const given = parameters.map((field) => values[field] ?? '');
  return `${isVoid === true ? '' : 'var result = '}workos.${name}(${given.join(', ')});`;
}

const RENDERERS: Readonly<Record<Language, (id: string, request: Request) => string | undefined>> = {
  node: renderNodeCall,
  python: renderPythonCall,
  go: renderGoCall,
  java: renderJavaCall,
};

/** The call of an operation with the official SDK of a language; undefined for one whose call is shown by HTTP. */
export const renderSdkCall = (language: Language, id: string, request: Request): string | undefined =>
  RENDERERS[language](id, request);
