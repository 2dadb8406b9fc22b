import { awaitAll } from '../../../kernel/concurrency.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { formatDateTime } from '../../../kernel/locale.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { clock } from '../../../kernel/clock.ts';
import { metadataForm, saveMetadata, textArea } from '../page/metadata-form.ts';
import { type Outcome, type PortalPage, portalPage, type Sent } from '../page/page-operations.ts';
import { portalForm, stateMark } from '../page/render.ts';
import { apiPath } from '../session/api.ts';
import { missingPage, type Visit } from '../session/visit.ts';
import { type ConnectionView, findConnection, nameProvider } from '../sso/connection.ts';
import { findConnections } from '../sso/operations.ts';

const SOON_MS = 90 * DAY_MS;

/** Describes when a certificate expires: it has expired, expires soon or later. */
function renderEnd({ translate, locale }: Visit, notAfter: string | null): Html {
  if (notAfter === null) return stateMark('–');
  const time = formatDateTime(locale, notAfter);
  const left = Date.parse(notAfter) - clock.now();
  if (left <= 0) return stateMark(translate('certificates.expired', { time }), 'bad');
  return stateMark(translate('sso.valid_until', { time }), left < SOON_MS ? 'bad' : 'good');
}

/** The connections that have certificates, with their certificates. */
async function findAll(visit: Visit): Promise<ConnectionView[]> {
  const listed = await findConnections(visit);
  const found = await awaitAll(listed.map(({ id }) => findConnection(visit, id)));
  return found.filter(({ saml_options: saml }) => saml !== null);
}

async function showList(visit: Visit) {
  const { translate, path } = visit;
  const connections = await findAll(visit);
  return {
    title: translate('intent.certificate_renewal'),
    lead: translate(connections.length === 0 ? 'certificates.none' : 'certificates.lead'),
    body: html`<ul class="records">
      ${connections.map(
        (connection) =>
          html`<li>
            <a href="${path(`certificates/${connection.id}`)}">${connection.name} (${nameProvider(connection)})</a>
            ${connection.saml_options?.idp_signing_certs.map(({ not_after: end }) => html`<p>${renderEnd(visit, end)}</p>`)}
          </li>`,
      )}
    </ul>`,
  };
}

async function showOne(visit: Visit, sent: Sent = {}) {
  const { translate, path, query } = visit;
  const connection = await findConnection(visit, visit.params.connection_id ?? '');
  const { saml_options: saml, id } = connection;
  if (saml === null) throw missingPage(visit);
  const certificates = saml.idp_signing_certs;
  const page = `certificates/${id}`;
  return {
    title: `${connection.name}: ${translate('intent.certificate_renewal')}`,
    lead: translate('certificates.one_lead', { provider: nameProvider(connection) }),
    notice: query.get('done') === 'saved' ? translate('form.saved') : undefined,
    body: html`<ul class="records">
        ${certificates.map(
          (one) =>
            html`<li>
              ${renderEnd(visit, one.not_after)}
              ${
                certificates.length > 1 &&
                portalForm(
                  visit,
                  page,
                  html`<input type="hidden" name="certificate_id" value="${one.id}" /><button
                      class="plain"
                      type="submit"
                      name="do"
                      value="delete"
                    >
                      ${translate('certificates.delete')}
                    </button>`,
                )
              }
            </li>`,
        )}
      </ul>
      <h2>${translate('certificates.add')}</h2>
      ${portalForm(
        visit,
        page,
        html`<input type="hidden" name="do" value="add" />
          ${textArea('value', translate('metadata.certificate'), sent.value, translate('metadata.pem'))}
          ${submit(translate('certificates.add'))}`,
      )}
      <h2>${translate('certificates.metadata')}</h2>
      ${metadataForm(visit, page, sent, saml.idp_metadata_url)}
      <p class="under"><a href="${path('certificates')}">${translate('sso.all')}</a></p>`,
  };
}

async function act(visit: Visit, sent: Sent): Promise<Outcome> {
  const { api, path, params } = visit;
  const { connection_id: id = '' } = params;
  const certificates = apiPath`/connections/${id}/saml_idp_signing_certs`;
  if (sent.do === 'add') await api('POST', certificates, { value: sent.value ?? '' });
  else if (sent.do === 'delete') await api('DELETE', certificates + apiPath`/${sent.certificate_id ?? ''}`);
  else if (sent.do === 'metadata') await saveMetadata(visit, id, sent);
  else throw missingPage(visit);
  return { to: path(apiPath`certificates/${id}?done=saved`) };
}

const intents = ['certificate_renewal', 'sso'] as const;

export const certificatesPage: PortalPage = {
  name: 'certificates',
  path: 'certificates',
  summary: 'The connections whose identity providers have certificates',
  intents,
  show: showList,
};

export const certificatePage: PortalPage = {
  name: 'certificate',
  path: 'certificates/{connection_id}',
  summary: 'The certificates of the identity provider of a connection',
  intents,
  show: showOne,
  act,
};

export const certificatePageOperations = [...portalPage(certificatesPage), ...portalPage(certificatePage)];
