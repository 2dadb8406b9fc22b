import { randomUUID } from 'node:crypto';

export const PASSWORD = 'plain tulips over kelp';
export const CALLBACK = 'https://app.example.com/callback';
export const newEmail = (): string => `${randomUUID()}@trial.example`;

/** Sends a request like a browser that uses the front's URL; the stage gets its own host name. */
export async function throughFront(front: string, apiUrl: string, url: string, init: RequestInit): Promise<Response> {
  const given = new Headers(init.headers);
  for (const [name, value] of given) given.set(name, value.replaceAll(front, apiUrl));
  const response = await fetch(url, { ...init, headers: given });
  const location = response.headers.get('location');
  if (location === null) return response;
  const headers = new Headers(response.headers);
  headers.set('location', location.replace(apiUrl, front));
  return new Response(null, { status: response.status, headers });
}

/**
 * Checks that a call is rejected.
 * @throws Error when it is not rejected with the status
 */
export async function rejected(status: number, call: () => Promise<unknown>): Promise<void> {
  const error = await call().then(
    () => ({ status: 'no error' }),
    (thrown: unknown) => thrown as { status?: number; message?: string },
  );
  if (error.status !== status) throw new Error(`responded ${error.status} instead of ${status}`);
}
