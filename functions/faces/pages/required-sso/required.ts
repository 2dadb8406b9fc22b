import { findRequiredSso, type RequiredSso } from '../../../tenancy/modules/organization-sso/public.ts';
import type { Page } from '../../../kernel/http/error-response.ts';
import { RejectedForm } from '../flow/errors.ts';
import { PATHS } from '../flow/paths.ts';
import { otherUserPage, pageIn, type PageReply, redirect, stageState, type Visit } from '../flow/visit.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { requiredSsoPage } from './page.ts';

/** The address that redirects a browser to the identity provider of a connection. */
const START = '/x/sso/start';

/** Connections whose certificates have expired require single sign-on, and cannot be used for it. */
const linksTo = (visit: Visit, { connections }: RequiredSso, email: string) =>
  connections
    .filter(({ state }) => state === 'active')
    .map(({ id, name }) => ({ name, address: pageIn(visit, START, { connection: id, login_hint: email }) }));

/** The page that leads to the connections of a user's organization. */
export const renderRequiredSso = (visit: Visit, required: RequiredSso, email: string): Page =>
  requiredSsoPage(visit.surroundings, {
    connections: linksTo(visit, required, email),
    email,
    change: otherUserPage(visit),
  });

/**
 * The same page as a response, which redirects to the identity provider at once if there is only one. It is a page and no
 * redirect: browsers block redirects of a form to hosts that its Content Security Policy does not name.
 */
export function leaveForSso(visit: Visit, required: RequiredSso, email: string): PageReply {
  const [only, another] = linksTo(visit, required, email);
  const rendered = renderRequiredSso(visit, required, email);
  const refresh = only === undefined || another !== undefined ? {} : { refresh: `0;url=${only.address}` };
  return { status: 200, ...rendered, headers: { ...rendered.headers, ...refresh } };
}

/**
 * Redirects to the page of single sign-on if the domain of an address requires it: the same for an address with an
 * account and one without. Undefined if other methods are allowed.
 */
export async function sendToSso(
  unit: Pick<Unit, 'stage'>,
  visit: Visit,
  email: string,
): Promise<PageReply | undefined> {
  const required = await findRequiredSso(visit.flow.environmentId, email);
  if (required === undefined) return undefined;
  stageState(unit, visit, { email });
  return redirect(pageIn(visit, PATHS.sso));
}

/** Rejects a form for an address whose domain requires single sign-on, before any proof is checked. @throws RejectedForm */
export async function rejectWhereSsoRequired(visit: Visit, email: string): Promise<void> {
  const required = await findRequiredSso(visit.flow.environmentId, email);
  if (required !== undefined) throw new RejectedForm(renderRequiredSso(visit, required, email));
}
