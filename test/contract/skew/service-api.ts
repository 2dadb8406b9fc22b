import { call } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import type { Api } from '../samples/sample.ts';

/** The running service, for the samples of the contract tests. */
export async function serviceApi(): Promise<Api> {
  const send: Api['send'] = async (method, path, { body, headers = {} } = {}) => {
    const sent = body === undefined ? {} : { rawBody: body as string };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await call<unknown>(method, path, undefined, { ...sent, headers: { ...type, ...headers } });
    const text = typeof response.body === 'string' ? response.body : JSON.stringify(response.body ?? '');
    return { status: response.status, headers: response.headers, json: response.body, text, cookies: [] };
  };
  return {
    environmentId: await environment(),
    send,
    create: async (path, body) => {
      const { status, json, text } = await send('POST', path, { body: JSON.stringify(body) });
      if (status !== 201) throw new Error(`POST ${path} responded ${status}: ${text}`);
      return json as Record<string, unknown>;
    },
  };
}
