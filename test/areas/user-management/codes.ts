import { expect } from '@jest/globals';

import type { PasswordCheck } from '../../../functions/proofs/modules/credentials/password/check.ts';
import { findUser } from '../../../functions/tenancy/modules/users/public.ts';
import { checkPassword } from '../../../functions/proofs/modules/credentials/public.ts';
import { call, messages } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { retryCall } from '../../support/retries.ts';

export type Code = Record<string, string>;

/** Sends a request that mails a user's code or link: it must succeed. */
export async function sent<T = Code>(path: string, body?: object): Promise<T> {
  const response = await retryCall(() => call<T>('POST', path, body));
  expect([response.status, response.body]).toEqual([path.includes('/users/') ? 200 : 201, response.body]);
  return response.body;
}

/** The code in the newest mail to an address. */
export async function mailedCode(to: string): Promise<string> {
  const [mail] = await messages(to);
  expect(mail?.code).toMatch(/^\d{6}$/);
  return mail?.code ?? '';
}

/** A code of six digits that differs from this one. */
export const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** The code or error of a rejection, with its status. */
export const rejectionText = ({ status, body }: { status: number; body: unknown }): string => {
  const { code, error } = (body ?? {}) as { code?: string; error?: string };
  return `${status} ${code ?? error ?? ''}`;
};

/** Counts how often each of several responses occurs. */
export function tally(responses: readonly { status: number; body: unknown }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const response of responses) counts[rejectionText(response)] = (counts[rejectionText(response)] ?? 0) + 1;
  return counts;
}

/** Checks a password with the code of the sign-in. */
export async function passwordCheck({ id }: { id: string }, password: string): Promise<PasswordCheck> {
  const environmentId = await environment();
  return checkPassword(environmentId, await findUser(environmentId, id), password);
}

/** Reports whether a user has this password. */
export const isPassword = async (user: { id: string }, password: string): Promise<boolean> =>
  (await passwordCheck(user, password)).ok;
