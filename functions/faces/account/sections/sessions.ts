import { formatDateTime } from '../../../kernel/locale.ts';
import { html, type Html } from '../../../kernel/pages/html.ts';
import { page } from '../../../kernel/pages/layout.ts';
import { nameUserAgent } from '../../../kernel/user-agent-name.ts';
import { removeCookie } from '../../../kernel/http/cookies.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import {
  findLiveSessions,
  type SessionRecord,
  stageRevocation,
  stageRevocationOfAll,
} from '../../../tenancy/sessions/public.ts';
import { touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import { stageNotice } from '../page/notice.ts';
import { type AccountPage, accountPage } from '../page/page-operations.ts';
import { accountForm, hidden, smallButton } from '../page/render.ts';
import { stageEndOfPages, stageStay } from '../session/stage.ts';
import { accountBinding, lazily, type Visit } from '../session/visit.ts';

/** The user's live sessions, the newest first. */
export const findOwnSessions = (visit: Visit): Promise<SessionRecord[]> =>
  lazily(visit, 'sessions', async () => (await findLiveSessions(visit.environmentId, visit.user.id)).toReversed());

function sessionItem(visit: Visit, { id, userAgent, ipAddress, authenticatedAt }: SessionRecord): Html {
  const { translate, surroundings, session } = visit;
  const name = nameUserAgent(userAgent) ?? translate('sessions.unknown');
  const when = formatDateTime(surroundings.language.locale, authenticatedAt);
  return html`<li>
    <strong>${name}</strong> ${
      id === session?.sessionId && html`<span class="state good">${translate('sessions.current')}</span>`
    }
    <p class="hint">
      ${translate('sessions.since', { when })}${ipAddress !== undefined && html` · <span dir="ltr">${ipAddress}</span>`}
    </p>
    <div class="actions">
      ${accountForm(
        visit,
        'sessions',
        html`${hidden('id', id)} ${hidden('step', 'end')}
          <button class="button quiet" type="submit" aria-label="${translate('sessions.end_of', { device: name })}">
            ${translate('sessions.end')}
          </button>`,
      )}
    </div>
  </li>`;
}

export const sessionsPage: AccountPage = {
  name: 'sessions',
  section: 'sessions',
  summary: 'The page with the sessions of the user, which can be ended',
  emits: ['session.revoked'],
  async show(visit) {
    const { translate } = visit;
    const live = await findOwnSessions(visit);
    return {
      title: translate('sessions.title'),
      lead: translate(live.length === 0 ? 'sessions.none' : 'sessions.lead'),
      body: html`${
        live.length > 0 &&
        html`<ul class="records">
          ${live.map((own) => sessionItem(visit, own))}
        </ul>`
      }
      ${accountForm(
        visit,
        'sessions',
        html`${hidden('step', 'end_all')}
          <p class="hint">${translate('sessions.end_all_lead')}</p>
          ${smallButton(translate('sessions.end_all'))}`,
      )}`,
    };
  },
  async act(visit, sent, unit) {
    const { environmentId, user, surroundings, translate } = visit;
    if (sent.step === 'end_all') {
      touchUserVersion(unit, user);
      await stageRevocationOfAll(unit, environmentId, user.id);
      stageEndOfPages(unit, user);
      await stageNotice(unit, visit, 'sessions_ended');
      const ended = { title: translate('done.sessions_ended_title'), lead: translate('done.sessions_ended') };
      const cookies = [
        removeCookie(accountBinding(environmentId)),
        removeCookie({ purpose: 'session', id: readUlid(environmentId) }),
      ];
      return { ending: page(surroundings, { ...ended, sign: 'done' }), cookies };
    }
    // Only the user's own sessions are in the list, so an id of another user's session is not found.
    const own = (await findOwnSessions(visit)).find(({ id }) => id === sent.id);
    if (own === undefined) return { to: 'sessions' };
    const touchedUser = touchUserVersion(unit, user);
    stageRevocation(unit, own);
    await stageNotice(unit, visit, 'session_ended');
    // The end of a session also signs the user out of the hosted pages, in every browser but this one.
    return { to: 'sessions', done: 'done.session_ended', cookies: await stageStay(unit, visit, touchedUser) };
  },
};

export const sessionsOperations = accountPage(sessionsPage);
