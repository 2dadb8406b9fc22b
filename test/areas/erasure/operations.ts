import type { CallOptions, CallResponse } from '../../kernel/http/calls.ts';
import { findParams, findTarget, operations, readBody } from '../../contract/described.ts';
import type { Api } from '../../contract/samples/sample.ts';
import { call } from '../../support/service.ts';

/** Every operation with its sample, over HTTP. */

async function send(method: string, target: string, { headers, body }: CallOptions = {}): Promise<CallResponse> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const options = { headers: { ...type, ...headers }, ...(body === undefined ? {} : { rawBody: String(body) }) };
  const response = await call<unknown>(method, target, undefined, options);
  const isText = typeof response.body === 'string';
  const text = isText ? (response.body as string) : JSON.stringify(response.body ?? '');
  return { ...response, cookies: [], text, json: isText ? undefined : response.body };
}

const ORDER = ['PUT', 'POST', 'PATCH', 'GET'];

/** Calls every operation that deletes nothing with a record of its kind. Some respond with an error, because their sample is a form. */
export async function callOperations(environmentId: string): Promise<void> {
  const create: Api['create'] = async (path, body) => {
    const { status, text, json } = await send('POST', path, { body: JSON.stringify(body) });
    if (status !== 201) throw new Error(`POST ${path} responded ${status}: ${text}`);
    return json as Record<string, unknown>;
  };
  const api: Api = { environmentId, send, create };
  const rank = (method: string): number => ORDER.indexOf(method);
  const chosen = operations.filter(({ operation }) => operation.method !== 'DELETE');
  for (const described of chosen.toSorted((a, b) => rank(a.operation.method) - rank(b.operation.method))) {
    const target = findTarget(described, (await findParams(described, api)) ?? {});
    const body = await readBody(described, api);
    await send(described.operation.method, target, body === undefined ? {} : { body: JSON.stringify(body) });
  }
}
