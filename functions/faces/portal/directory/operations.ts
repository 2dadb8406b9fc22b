import { html } from '../../../kernel/pages/html.ts';
import { findScimGuide, scimGuides } from '../guide/scim/index.ts';
import { type PortalPage, portalPage } from '../page/page-operations.ts';
import { portalForm, stateMark } from '../page/render.ts';
import { apiPath } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';
import { directoryPageOperations } from './directory-operations.ts';

/** The members of a directory in lists of the API. */
interface Listed {
  id: string;
  name: string;
  state: string;
  type: string;
}

/** The directories of the organization. */
async function findDirectories({ api, session }: Visit): Promise<Listed[]> {
  const path = `/directories?limit=100&organization_id=${encodeURIComponent(session.organizationId)}`;
  return (await api<{ data: Listed[] }>('GET', path)).data;
}

async function show(visit: Visit) {
  const { translate, path } = visit;
  const directories = await findDirectories(visit);
  return {
    title: translate('intent.dsync'),
    lead: translate('dsync.lead'),
    body: html`${
        directories.length > 0 &&
        html`<ul class="records">
          ${directories.map(
            ({ id, name, state }) =>
              html`<li class="row">
                <a href="${path(`directories/${id}/connect`)}">${name}</a>
                ${
                  state === 'linked'
                    ? stateMark(translate('state.active'), 'good')
                    : stateMark(translate(state === 'validating' ? 'state.waiting' : 'state.inactive'))
                }
              </li>`,
          )}
        </ul>`
      }
      <h2>${translate('dsync.new')}</h2>
      ${portalForm(
        visit,
        'directories',
        html`<div class="tiles">
          ${scimGuides.map(
            ({ id, name }) =>
              html`<button class="button quiet" type="submit" name="provider" value="${id}">${name}</button>`,
          )}
        </div>`,
      )}`,
  };
}

export const directoriesPage: PortalPage = {
  name: 'directories',
  path: 'directories',
  summary: 'The directories of the organization, and the providers to choose from',
  intents: ['dsync'],
  show,
  async act({ api, session, path }, { provider = '' }) {
    const { name, type } = findScimGuide(provider);
    const body = { organization_id: session.organizationId, name, type };
    const { id } = await api<{ id: string }>('POST', '/x/directories', body);
    return { to: path(apiPath`directories/${id}/connect`) };
  },
};

const list = portalPage(directoriesPage);

export const directoryOperations = [...list, ...directoryPageOperations];
