import { awaitAll } from '../../../kernel/concurrency.ts';
import { formatDateTime } from '../../../kernel/locale.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Outcome, Sent } from '../page/page-operations.ts';
import { copyable, portalForm } from '../page/render.ts';
import { apiPath } from '../session/api.ts';
import { missingPage, type Visit } from '../session/visit.ts';
import { type ConnectionView, nameProvider } from './connection.ts';

interface Certificate {
  id: string;
  value: string;
  not_after: string | null;
}

const SIGNING = 'saml_sp_signing_cert';
const ENCRYPTION = 'saml_sp_encryption_certs';
/** Maximum keys for encrypted responses of a connection. */
const MAX_KEYS = 5;

/** A button that is a form of its own. */
const action = (visit: Visit, id: string, name: string, label: string, certificate?: Certificate): Html =>
  portalForm(
    visit,
    `sso/${id}/keys`,
    html`${certificate !== undefined && html`<input type="hidden" name="certificate_id" value="${certificate.id}" />`}
      <button class="${certificate === undefined ? 'button quiet' : 'plain'}" type="submit" name="do" value="${name}">
        ${label}
      </button>`,
  );

/** A certificate to copy, with the time of its expiry and a button that deletes its key. */
const renderCertificate = (visit: Visit, id: string, certificate: Certificate, deletion: [string, string]): Html =>
  html`<li>
    <p>${visit.translate('sso.valid_until', { time: formatDateTime(visit.locale, certificate.not_after ?? '') })}</p>
    ${copyable(visit, certificate.value)} ${action(visit, id, ...deletion, certificate)}
  </li>`;

/** The keys of the service for one connection: the one that signs requests, and those for encrypted responses. */
export async function showKeys(visit: Visit, connection: ConnectionView) {
  const { translate, api } = visit;
  const { id, saml_options: saml } = connection;
  if (saml === null) throw missingPage(visit);
  const path = apiPath`/connections/${id}/`;
  const [signing, encryption] = await awaitAll([
    saml.sp_signing_cert === null ? undefined : api<Certificate>('GET', path + SIGNING),
    api<{ data: Certificate[] }>('GET', path + ENCRYPTION),
  ]);
  const provider = nameProvider(connection);
  const listed = (certificates: Certificate[], ...deletion: [string, string]): Html =>
    html`<p>${translate('keys.at_provider', { provider })}</p>
      <ul class="records">
        ${certificates.map((one) => renderCertificate(visit, id, one, deletion))}
      </ul>`;
  return {
    lead: translate('keys.lead', { provider }),
    body: html`<h2>${translate('keys.signing')}</h2>
      ${
        signing === undefined
          ? html`<p>${translate('keys.signing_none')}</p>
              ${action(visit, id, 'sign', translate('keys.create_signing'))}`
          : listed([signing], 'stop_signing', translate('keys.delete_signing'))
      }
      <h2>${translate('keys.encryption')}</h2>
      ${
        encryption.data.length === 0
          ? html`<p>${translate('keys.encryption_none')}</p>`
          : listed(encryption.data, 'delete', translate('keys.delete'))
      }
      ${encryption.data.length < MAX_KEYS && action(visit, id, 'encrypt', translate('keys.create_encryption'))}`,
  };
}

/** Creates or deletes a key of the service. */
export async function changeKeys(visit: Visit, connection: ConnectionView, sent: Sent): Promise<Outcome> {
  const { api, path } = visit;
  const { id } = connection;
  const base = apiPath`/connections/${id}/`;
  const one = apiPath`/${sent.certificate_id ?? ''}`;
  if (sent.do === 'sign') await api('POST', base + SIGNING, {});
  else if (sent.do === 'stop_signing') await api('DELETE', base + SIGNING + one);
  else if (sent.do === 'encrypt') await api('POST', base + ENCRYPTION, {});
  else if (sent.do === 'delete') await api('DELETE', base + ENCRYPTION + one);
  else throw missingPage(visit);
  return { to: path(`sso/${id}/keys?done=saved`) };
}
