import { awaitAll } from '../../../kernel/concurrency.ts';
import { html } from '../../../kernel/pages/html.ts';
import { findDomains, isVerified } from '../domain/operations.ts';
import { findSsoGuide, ssoGuides } from '../guide/sso.ts';
import { type PortalPage, portalPage } from '../page/page-operations.ts';
import { portalForm } from '../page/render.ts';
import { apiPath } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';
import { type ConnectionView, nameProvider, renderState } from './connection.ts';
import { connectionOperations } from './connection-operations.ts';

type Listed = Pick<ConnectionView, 'id' | 'name' | 'state' | 'connection_type'>;

/** The connections of the organization. */
export async function findConnections({ api, session }: Pick<Visit, 'api' | 'session'>): Promise<Listed[]> {
  const path = `/connections?limit=100&organization_id=${encodeURIComponent(session.organizationId)}`;
  const { data } = await api<{ data: Listed[] }>('GET', path);
  return data.filter(({ state }) => state !== 'deleting');
}

async function show(visit: Visit) {
  const { translate, path, session } = visit;
  const [connections, domains] = await awaitAll([findConnections(visit), findDomains(visit)]);
  const first = session.providerType === undefined ? undefined : findSsoGuide(session.providerType);
  const guides = first === undefined ? ssoGuides : [first];
  return {
    title: translate('intent.sso'),
    lead: translate('sso.lead'),
    notice: visit.query.get('done') === 'deleted' ? translate('sso.deleted') : undefined,
    body: html`${
        !domains.some(isVerified) &&
        html`<p class="notice">
          ${translate('sso.domains_first')} <a href="${path('domains')}">${translate('intent.domain_verification')}</a>
        </p>`
      }
      ${
        connections.length > 0 &&
        html`<ul class="records">
          ${connections.map(
            (connection) =>
              html`<li class="row">
                <a href="${path(`sso/${connection.id}/configure`)}">${connection.name} (${nameProvider(connection)})</a>
                ${renderState(visit, connection.state)}
              </li>`,
          )}
        </ul>`
      }
      <h2>${translate('sso.new')}</h2>
      ${portalForm(
        visit,
        'sso',
        html`<div class="tiles">
          ${guides.map(
            ({ id, name }) =>
              html`<button class="button quiet" type="submit" name="provider" value="${id}">${name}</button>`,
          )}
        </div>`,
      )}`,
  };
}

export const connectionsPage: PortalPage = {
  name: 'connections',
  path: 'sso',
  summary: 'The connections of the organization, and the identity providers to choose from',
  intents: ['sso'],
  show,
  async act({ api, session, path }, { provider = '' }) {
    const guide = findSsoGuide(provider);
    const { id } = await api<{ id: string }>('POST', '/x/connections', {
      organization_id: session.organizationId,
      name: guide.name,
      connection_type: guide.type,
    });
    return { to: path(apiPath`sso/${id}/configure`) };
  },
};

const start = portalPage(connectionsPage);

export const ssoOperations = [...start, ...connectionOperations];
