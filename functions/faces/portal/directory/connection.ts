import { formatDateTime } from '../../../kernel/locale.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { findScimGuide } from '../guide/scim/index.ts';
import { nameProvider, renderGuide } from '../guide/render.ts';
import { copyableFacts, portalForm, stateMark } from '../page/render.ts';
import type { GroupRole } from '../page/group-roles.ts';
import type { Visit } from '../session/visit.ts';

/** The members of a directory in the response of `/x/directories/{id}`. */
export interface DirectoryView {
  id: string;
  type: string;
  state: string;
  scim_url: string;
  metadata?: { users: { active: number; inactive: number }; groups: number };
  custom_attributes: Record<string, string | null>;
  group_roles: GroupRole[];
  tokens: { id: string; token_suffix: string; created_at: string }[];
}

interface User {
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  state: string;
}

/** The users that the provider has changed most recently. */
async function findUsers({ api }: Visit, id: string): Promise<User[]> {
  return (await api<{ data: User[] }>('GET', `/directory_users?limit=5&directory=${encodeURIComponent(id)}`)).data;
}

/**
 * The first step: the URL and the tokens of the directory, the steps at the provider, and the records that it has sent so
 * far.
 */
export async function renderConnection(visit: Visit, directory: DirectoryView, token: string | undefined) {
  const { translate } = visit;
  const { id, scim_url: address, tokens } = directory;
  const guide = findScimGuide(directory.type);
  const provider = nameProvider(visit, guide);
  const values = { scim_url: address, ...(token === undefined ? {} : { token }) };
  return html`${
      token !== undefined &&
      html`<div class="notice" role="status">${translate('dsync.token_once')}</div>
        ${copyableFacts(visit, [[translate('dsync.token'), token]])}`
    }
    ${renderProgress(visit, directory, await findUsers(visit, id))}
    <h2>${translate('dsync.tokens')}</h2>
    ${
      tokens.length > 0 &&
      html`<ul class="records">
        ${tokens.map((one) => renderToken(visit, id, one))}
      </ul>`
    }
    ${portalForm(
      visit,
      `directories/${id}/connect`,
      html`<button class="button" type="submit" name="do" value="token">
        ${translate(tokens.length === 0 ? 'dsync.make_token' : 'dsync.make_another')}
      </button>`,
    )}
    <h2>${translate('sso.at_provider', { provider })}</h2>
    ${copyableFacts(visit, [[translate('dsync.address'), address]])}
    ${renderGuide(visit, { ...guide, name: provider }, values)}`;
}

const renderToken = (
  visit: Visit,
  id: string,
  { id: tokenId, token_suffix: suffix, created_at: at }: DirectoryView['tokens'][number],
) =>
  html`<li>
    <div class="row"><code>…${suffix}</code><span class="small">${formatDateTime(visit.locale, at)}</span></div>
    ${portalForm(
      visit,
      `directories/${id}/connect`,
      html`<input type="hidden" name="token" value="${tokenId}" /><button
          class="plain"
          type="submit"
          name="do"
          value="revoke"
        >
          ${visit.translate('dsync.revoke', { suffix })}
        </button>`,
    )}
  </li>`;

/** Shows whether the provider has called, and which records it has sent. */
function renderProgress({ translate, path }: Visit, directory: DirectoryView, users: readonly User[]): Html | false {
  const { id, state, metadata, tokens } = directory;
  if (state !== 'linked') {
    if (tokens.length === 0) return false;
    return html`<p class="row" role="status">
      ${stateMark(translate('state.waiting'))}
      <a href="${path(`directories/${id}/connect`)}">${translate('dsync.look_again')}</a>
    </p>`;
  }
  const counts = { users: metadata?.users.active ?? 0, groups: metadata?.groups ?? 0 };
  return html`<p role="status">${stateMark(translate('dsync.called'), 'good')} ${translate('dsync.counts', counts)}</p>
    ${
      users.length > 0 &&
      html`<ul class="records">
        ${users.map(
          ({ email, first_name: first, last_name: last }) =>
            html`<li class="row">
              <span>${[first, last].filter(Boolean).join(' ')}</span><span>${email ?? ''}</span>
            </li>`,
        )}
      </ul>`
    }`;
}
