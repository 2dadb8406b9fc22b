import { awaitAll } from '../../../kernel/concurrency.ts';
import { html, type Html } from '../../../kernel/pages/html.ts';
import { stageMembershipEnd } from '../../../tenancy/modules/memberships/public.ts';
import { stageRevocationOfAll } from '../../../tenancy/sessions/public.ts';
import { touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import {
  explainGovernor,
  findGovernors,
  findLeavingGovernor,
  findMembers,
  type Governor,
  type Member,
} from '../page/governance.ts';
import { stageNotice } from '../page/notice.ts';
import { type AccountPage, accountPage, changeNotAllowed } from '../page/page-operations.ts';
import { PageFailure } from '../../../kernel/pages/error-page.ts';
import { accountForm, hidden, renderPage } from '../page/render.ts';
import { stageStay } from '../session/stage.ts';
import type { Visit } from '../session/visit.ts';

function memberItem(visit: Visit, member: Member, governor: Governor | undefined): Html {
  const { translate } = visit;
  const { membership, organization } = member;
  return html`<li>
    <strong>${organization.name}</strong>
    ${membership.status !== 'active' && html`<span class="state">${translate(`organizations.${membership.status}`)}</span>`}
    ${
      governor === undefined
        ? html`<div class="actions">
            ${accountForm(
              visit,
              'organizations',
              html`${hidden('id', membership.id)}
                <button
                  class="button quiet"
                  type="submit"
                  aria-label="${translate('organizations.leave_of', { organization: organization.name })}"
                >
                  ${translate('organizations.leave')}
                </button>`,
            )}
          </div>`
        : html`<p class="hint">${explainGovernor(visit, governor)}</p>`
    }
  </li>`;
}

export const organizationsPage: AccountPage = {
  name: 'organizations',
  section: 'organizations',
  summary: 'The page with the organizations of the user, which can be left',
  emits: ['organization_membership.deleted', 'session.revoked'],
  async show(visit) {
    const { translate } = visit;
    const [members, governors] = await awaitAll([findMembers(visit), findGovernors(visit)]);
    return {
      title: translate('organizations.title'),
      lead: translate(members.length === 0 ? 'organizations.none' : 'organizations.lead'),
      body:
        members.length === 0
          ? undefined
          : html`<ul class="records">
              ${members.map((member) => memberItem(visit, member, findLeavingGovernor(visit, governors, member)))}
            </ul>`,
    };
  },
  async act(visit, { id = '' }, unit) {
    const { environmentId, user, translate } = visit;
    const [members, governors] = await awaitAll([findMembers(visit), findGovernors(visit)]);
    const member = members.find(({ membership }) => membership.id === id);
    if (member === undefined) return { to: 'organizations' };
    const governor = findLeavingGovernor(visit, governors, member);
    if (governor !== undefined) {
      const content = { title: translate('organizations.title'), lead: explainGovernor(visit, governor) };
      throw new PageFailure(changeNotAllowed, renderPage(visit, content));
    }
    const { organization, membership } = member;
    const touchedUser = touchUserVersion(unit, user);
    stageMembershipEnd(unit, membership);
    const own = ({ organizationId }: { organizationId?: string | undefined }) => organizationId === organization.id;
    const revoked = await stageRevocationOfAll(unit, environmentId, user.id, own);
    await stageNotice(unit, visit, 'organization_left', organization.name);
    // The end of a session signs the user out of the hosted pages, in every browser but this one.
    const cookies = revoked.length === 0 ? [] : await stageStay(unit, visit, touchedUser);
    return { to: 'organizations', done: 'done.organization_left', cookies };
  },
};

export const organizationsOperations = accountPage(organizationsPage);
