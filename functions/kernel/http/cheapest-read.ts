import type { Area } from '../area.ts';
import { ENVIRONMENT_KEY_PREFIX } from '../authentication/api-key.ts';
import { mintKey } from '../authentication/secret-key.ts';
import { Failure } from '../errors.ts';
import { newUlid } from '../ids.ts';
import type { Operation } from '../operation.ts';
import { execute } from './pipeline.ts';

/**
 * The read of an area that costs least: one without parameters before one with them, and one with a key before others, since the
 * key is looked up in the table and then rejected.
 * @returns undefined for an area without reads
 */
export function findCheapestRead(operations: readonly Operation[]): Operation | undefined {
  const cost = ({ path, auth }: Operation): number => (auth.security.length > 0 ? 0 : 1) + (path.includes('{') ? 2 : 0);
  return operations.filter(({ method }) => method === 'GET').toSorted((a, b) => cost(a) - cost(b))[0];
}

/**
 * Calls the cheapest read of an area as an unknown caller, to show before a deployment that the function can be loaded, has its settings and
 * reaches the table.
 * @returns its status, or 204 for an area without reads
 * @throws the error for which a caller would get a 5xx
 */
export async function callCheapestRead(area: Area): Promise<{ statusCode: number }> {
  const operation = findCheapestRead(area.operations);
  if (operation === undefined) return { statusCode: 204 };
  const params = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'ping']));
  const request = {
    id: `req_${newUlid()}`,
    method: operation.method,
    path: operation.path.replaceAll(/\{\w+\}/g, 'ping'),
    rawQuery: '',
    headers: { authorization: `Bearer ${mintKey(ENVIRONMENT_KEY_PREFIX, newUlid()).value}` },
    cookies: [],
    sourceIp: '127.0.0.1',
    viewerPlace: undefined,
    userAgent: null,
    rawBody: '',
  };
  try {
    return { statusCode: (await execute({ operation, area: area.name, request, params })).status };
  } catch (error) {
    if (error instanceof Failure && error.declared.status < 500) return { statusCode: error.declared.status };
    throw error;
  }
}
