import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { describeRequest } from '../../../kernel/messages/describe-request.ts';
import { recoveryCodesMail } from '../../../kernel/messages/templates/factor-notice.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import { listRecoveryCodes } from '../../../kernel/pages/recovery-codes.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { countRecoveryCodes, isProven, makeRecoveryCodes, stageRecoveryCodes } from '../../../proofs/mfa/public.ts';
import { composeNotice, touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import { type AccountPage, accountPage, type Outcome } from '../page/page-operations.ts';
import { accountForm, renderPage } from '../page/render.ts';
import { lazily, type Visit } from '../session/visit.ts';
import { findOwnPasskeys } from '../session/proof.ts';
import { findOwnFactors } from './authenticator.ts';

/** The number of recovery codes that the user has left. */
export const countOwnRecoveryCodes = (visit: Visit): Promise<number> =>
  lazily(visit, 'recovery codes', () => countRecoveryCodes(visit.environmentId, visit.user.id));

/** The reason for which the user can have no recovery codes: no second factor that they would replace. */
async function findObstacle(visit: Visit): Promise<string | undefined> {
  const { signIn, translate } = visit;
  if (signIn.mfa === 'off') return translate('authenticator.off');
  const [factors, passkeys] = await awaitAll([findOwnFactors(visit), findOwnPasskeys(visit)]);
  return factors.some(isProven) || passkeys.length > 0 ? undefined : translate('recovery_codes.no_factor');
}

/**
 * Creates recovery codes, which replace all earlier ones, and shows them once: the response to the form is the only one with
 * them. The user is mailed.
 */
export async function createRecoveryCodes(visit: Visit, unit: Unit): Promise<Outcome> {
  const { user, surroundings, translate } = visit;
  const codes = makeRecoveryCodes();
  // Two creations conflict at the user's row, so that the codes of one response only are valid.
  touchUserVersion(unit, user);
  await stageRecoveryCodes(unit, user, codes);
  const notice = await composeNotice(user, recoveryCodesMail, {
    at: clock.timestamp(),
    request: describeRequest(visit.request),
  });
  if (notice !== undefined) unit.stage(notice);
  const body = listRecoveryCodes(codes, surroundings);
  return { ending: renderPage(visit, { title: translate('recovery_codes.title'), sign: 'done', body }) };
}

export const recoveryCodesPage: AccountPage = {
  name: 'recovery_codes',
  section: 'recovery_codes',
  summary: 'The page on which the user creates new recovery codes',
  emits: [],
  findObstacle,
  async show(visit) {
    const { translate } = visit;
    const count = await countOwnRecoveryCodes(visit);
    return {
      title: translate('recovery_codes.title'),
      lead: translate('recovery_codes.lead', { count }),
      body: accountForm(
        visit,
        'recovery_codes',
        html`${count > 0 && html`<p class="hint">${translate('recovery_codes.renew_hint')}</p>`}
        ${submit(translate('recovery_codes.renew'))}`,
      ),
    };
  },
  act: (visit, _sent, unit) => createRecoveryCodes(visit, unit),
};

export const recoveryCodesOperations = accountPage(recoveryCodesPage);
