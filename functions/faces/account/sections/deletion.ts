import { findSettings } from '../../../kernel/environment-settings.ts';
import { removeCookie } from '../../../kernel/http/cookies.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { applicationLink } from '../../../kernel/pages/ending.ts';
import { field } from '../../../kernel/pages/fields.ts';
import { html } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { stageErasure } from '../../../kernel/storage/erasure.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { stageRevocationOfAll } from '../../../tenancy/sessions/public.ts';
import { makeRemoval, presentUser, userManagementSettings } from '../../../tenancy/modules/users/public.ts';
import { findGovernedReason } from '../page/governance.ts';
import { stageLastNotice } from '../page/notice.ts';
import { type AccountPage, accountPage, FormRejection } from '../page/page-operations.ts';
import { accountForm } from '../page/render.ts';
import { stageEndOfPages } from '../session/stage.ts';
import { accountBinding, type Visit } from '../session/visit.ts';

async function findObstacle(visit: Visit): Promise<string | undefined> {
  const { user_deletion: isAllowed } = await findSettings(visit.environmentId, userManagementSettings);
  return isAllowed ? findGovernedReason(visit) : visit.translate('deletion.not_allowed');
}

export const deletionPage: AccountPage = {
  name: 'deletion',
  section: 'deletion',
  summary: 'The page on which the user deletes the account',
  emits: ['user.deleted', 'session.revoked'],
  findObstacle,
  async show(visit, { sent, wrong } = { sent: {}, wrong: {} }) {
    const { translate, user, surroundings } = visit;
    return {
      title: translate('deletion.title'),
      lead: translate('deletion.lead'),
      body: accountForm(
        visit,
        'deletion',
        html`${field(
          {
            name: 'email',
            label: translate('deletion.field', { email: user.email }),
            type: 'email',
            autocomplete: 'off',
            value: sent.email,
            wrong: wrong.email,
          },
          surroundings.language,
        )}
        ${submit(translate('deletion.submit'))}`,
      ),
    };
  },
  async act(visit, { email = '' }, unit) {
    const { environmentId, user, surroundings, translate, session } = visit;
    if (normalizeEmail(email) !== user.email) throw new FormRejection({ email: translate('deletion.wrong') });
    unit.stage(makeRemoval(user));
    stageErasure(unit, environmentId, ownerKey('user', user.id));
    await stageRevocationOfAll(unit, environmentId, user.id);
    stageEndOfPages(unit, user);
    await stageLastNotice(unit, visit);
    unit.emit('user.deleted', presentUser(user));
    const cookies = [
      removeCookie(accountBinding(environmentId)),
      removeCookie({ purpose: 'session', id: readUlid(environmentId) }),
    ];
    const content = {
      title: translate('deletion.done_title'),
      lead: translate('deletion.done'),
      sign: 'done' as const,
    };
    return {
      ending: page(surroundings, { ...content, body: applicationLink(surroundings, session?.returnUrl) }),
      cookies,
    };
  },
};

export const deletionOperations = accountPage(deletionPage);
