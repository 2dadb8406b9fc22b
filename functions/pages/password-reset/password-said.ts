import type { Language } from '../words/index.ts';

/** What stands against a new password, by its code, in words for whoever chose it. */
export function saidOfPassword({ say }: Language, code: string, minimum: number): string {
  return code === 'password_too_short' ? say('password.too_short', { minimum }) : say('password.too_weak');
}
