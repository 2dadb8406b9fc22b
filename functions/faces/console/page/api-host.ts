import { readConsoleUrl } from '../../../kernel/own-origin.ts';
import { settings } from '../../../kernel/settings.ts';

/** The address of a path of the API, which on a stage has another host than the console. */
export const makeApiAddress = (path: string): string => `${settings().GATEHOUSE_BASE_URL}${path}`;

/**
 * The host to which forms of the console may be redirected in addition to its own: that of the API, which has the hosted pages of
 * the sign-in. Browsers check redirects by `form-action` as well.
 */
export const apiTargets = (): string[] => {
  const { origin } = new URL(settings().GATEHOUSE_BASE_URL);
  return origin === new URL(readConsoleUrl()).origin ? [] : [origin];
};
