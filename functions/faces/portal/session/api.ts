import { EgressError } from '../../../kernel/egress/errors.ts';
import { callOwnService, type OwnCall } from '../../../kernel/egress/own-service.ts';
import { Failure, general } from '../../../kernel/errors.ts';
import { log } from '../../../kernel/log.ts';

/** The exception for an API call that was rejected. */
export class ApiRejection extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiRejection';
    this.status = status;
    this.code = code;
  }
}

/** Calls the public API of the service. @throws ApiRejection for a 4xx; Failure 503 if it does not respond */
export type Api = <T>(method: OwnCall['method'], path: string, body?: unknown) => Promise<T>;

/** A path of the API whose values are encoded. */
export const apiPath = (strings: TemplateStringsArray, ...values: readonly string[]): string =>
  strings
    .map((text, at) => (at === 0 ? text : encodeURIComponent((values[at - 1] ?? '').toWellFormed()) + text))
    .join('');

/**
 * Makes the API client of a session. Like every other client it uses HTTPS at the base URL, and its only credential is the
 * grant.
 * @param findToken Called once, at the first call.
 */
export function makeApi(findToken: () => Promise<string>): Api {
  let token: Promise<string> | undefined;
  return async <T>(method: OwnCall['method'], path: string, body?: unknown): Promise<T> => {
    token ??= findToken();
    const response = await callOwnService({ method, path, token: await token, body }).catch((error: unknown) => {
      if (!(error instanceof EgressError)) throw error;
      // A value such as "..", which cannot be part of a path, so no record has it as its id.
      if (error.code === 'invalid_url') throw new ApiRejection(404, 'not_found', error.message);
      log.warn('the API did not respond to the portal', { error });
      throw new Failure(general.unavailable, { retryAfter: 1 });
    });
    const text = Buffer.from(response.body).toString('utf8');
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const parsed = (isJson && text !== '' ? JSON.parse(text) : {}) as {
      code?: string;
      message?: string;
      error?: string;
    };
    if (response.status < 300) return parsed as T;
    if (response.status >= 500 || response.status === 429) throw new Failure(general.unavailable, { retryAfter: 2 });
    throw new ApiRejection(response.status, parsed.code ?? '', parsed.message ?? parsed.error ?? '');
  };
}
