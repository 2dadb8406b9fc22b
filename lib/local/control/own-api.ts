import * as z from 'zod';

import { awaitAll } from '../../../functions/kernel/concurrency.ts';

/** A call of the service's own API for the page, with the environment's key. */
export type OwnApi = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => Promise<OwnReply>;

/** The response of the API. */
export interface OwnReply {
  ok: boolean;
  body: unknown;
  /** The error message for the developer; empty if there is no error. */
  error: string;
}

const Failed = z.object({
  code: z.string().optional(),
  message: z.string().optional(),
  errors: z.array(z.object({ message: z.string().optional(), field: z.string().optional() })).optional(),
});

/** Makes the function that calls the API of this service. The header keeps its calls out of the terminal. */
export const ownApi =
  (localUrl: string, apiKey: string): OwnApi =>
  async (method, path, body) => {
    const response = await fetch(`${localUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'x-gatehouse-page': '1' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const read: unknown = text === '' ? undefined : JSON.parse(text);
    return { ok: response.ok, body: read, error: response.ok ? '' : describeError(response.status, read) };
  };

function describeError(status: number, body: unknown): string {
  const { data } = Failed.safeParse(body);
  const details = (data?.errors ?? []).map(({ field, message }) => [field, message].filter(Boolean).join(': '));
  return [data?.message ?? `The API responded with ${status}.`, ...details].join(' ');
}

const User = z.object({ id: z.string(), email: z.string(), first_name: z.string().nullish() });
const Organization = z.object({ id: z.string(), name: z.string() });

/** The newest users and organizations, for lists and choices. */
export interface People {
  users: z.output<typeof User>[];
  organizations: z.output<typeof Organization>[];
}

const MOST_RECORDS = 20;

/** Reads the newest users and organizations. */
export async function readPeople(api: OwnApi): Promise<People> {
  const read = async <S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>[]> =>
    z.object({ data: z.array(schema) }).safeParse((await api('GET', `${path}?limit=${MOST_RECORDS}`)).body).data
      ?.data ?? [];
  const [users, organizations] = await awaitAll([
    read('/user_management/users', User),
    read('/organizations', Organization),
  ]);
  return { users, organizations };
}
