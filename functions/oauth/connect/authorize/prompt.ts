import type { RequestFault } from './fault.ts';

/** Parses `prompt` (OpenID Connect Core section 3.1.2.1): values separated by spaces, where `none` must be the only one. */
export function findPromptFault(prompt: string | undefined, maxAge: string | undefined): RequestFault | undefined {
  const values = (prompt ?? '').split(' ').filter((value) => value !== '');
  if (values.includes('none') && values.length > 1) {
    return { error: 'invalid_request', description: 'prompt "none" cannot be combined with other values.' };
  }
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    return { error: 'invalid_request', description: 'max_age is a whole number of seconds.' };
  }
  return undefined;
}
