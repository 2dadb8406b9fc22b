import { systemActor } from '../../../kernel/authentication/caller.ts';
import { html } from '../../../kernel/pages/html.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import {
  findInvitation,
  type Intent,
  portalSessions,
  stageEndOfInvitation,
} from '../../../tenancy/modules/portal-access/public.ts';
import { type PortalPage, portalPage } from '../page/page-operations.ts';
import { apiPath } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';

/** The page of each task. */
export const PAGES: Readonly<Record<Intent, string>> = {
  domain_verification: 'domains',
  sso: 'sso',
  dsync: 'directories',
  certificate_renewal: 'certificates',
  audit_logs: 'audit_logs',
  log_streams: 'log_stream',
  bring_your_own_key: 'own_key',
};

/** The page at which a session begins: its only task, or the overview. */
export const firstPage = ([first, ...others]: readonly Intent[]): string =>
  first === undefined || others.length > 0 ? 'overview' : PAGES[first];

export const overviewPage: PortalPage = {
  name: 'overview',
  path: 'overview',
  summary: 'The tasks of a portal session',
  intents: [],
  async show({ api, session, translate, path, surroundings }) {
    const { name } = await api<{ name: string }>('GET', apiPath`/organizations/${session.organizationId}`);
    return {
      title: surroundings.language.translate('setup.title', { organization: name }),
      lead: translate('overview.lead'),
      body: html`<div class="stack">
        ${session.intents.map(
          (intent) =>
            html`<a class="button quiet choice" href="${path(PAGES[intent])}"
              >${translate(`intent.${intent}`)}<span aria-hidden="true">›</span></a
            >`,
        )}
      </div>`,
    };
  },
};

const overview = portalPage(overviewPage);

/** Ends the session, with which its grants end, and the invitation of an IT contact. @returns the Set-Cookie header */
async function endSession({ environmentId, session }: Visit): Promise<string> {
  let removal = '';
  await applyWork(environmentId, systemActor, async (unit) => {
    removal = await portalSessions.stageEnd(unit, environmentId, session);
    const { organizationId, contactId } = session;
    if (contactId === undefined) return;
    stageEndOfInvitation(unit, await findInvitation(environmentId, organizationId), contactId);
  });
  return removal;
}

export const finishPage: PortalPage = {
  name: 'finish',
  path: 'finish',
  summary: 'The end of a portal session',
  intents: [],
  show: async ({ translate }) => ({ title: translate('finish.ask'), lead: translate('finish.ask_lead') }),
  async act(visit) {
    const { session, surroundings, translate } = visit;
    const cookies = [await endSession(visit)];
    const to = session.successUrl ?? session.returnUrl;
    if (to !== undefined) return { to, cookies };
    const lead = surroundings.language.translate('signed_out.lead');
    return { content: { title: translate('finish.title'), lead, sign: 'done' }, cookies };
  },
};

const finish = portalPage(finishPage);

export const overviewOperations = [...overview, ...finish];
