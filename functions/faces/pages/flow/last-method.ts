import { type Binding, cookieValue, setCookie } from '../../../kernel/http/cookies.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import type { Attempt } from '../../../sign-in/modules/sign-in/public.ts';
import type { Visit } from './visit.ts';

const makeBinding = ({ flow: { environmentId } }: Pick<Visit, 'flow'>): Binding => ({
  purpose: 'method',
  id: readUlid(environmentId),
});

/** The value of the cookie for a method: that of a provider names it. */
const nameMethod = ({ method, provider }: Pick<Attempt, 'method' | 'provider'>): string =>
  method === 'oauth' ? `oauth.${provider ?? ''}` : method;

/** The Set-Cookie header with the method of a sign-in; none if the browser has the same already. */
export const listMethodCookies = (visit: Visit, attempt: Pick<Attempt, 'method' | 'provider'>): string[] => {
  const name = nameMethod(attempt);
  return cookieValue(visit.request, makeBinding(visit)) === name ? [] : [setCookie(makeBinding(visit), name)];
};

/**
 * Reports whether the last sign-in in this browser used a method, so that its button is marked. The cookie is not a credential:
 * a browser that changes it only changes the mark.
 */
export const isLastMethod = (visit: Visit, used: Pick<Attempt, 'method' | 'provider'>): boolean =>
  cookieValue(visit.request, makeBinding(visit)) === nameMethod(used);
