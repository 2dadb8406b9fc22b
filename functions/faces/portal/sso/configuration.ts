import { type Html, html } from '../../../kernel/pages/html.ts';
import { nameProvider, renderGuide } from '../guide/render.ts';
import { findSsoGuide } from '../guide/sso.ts';
import { metadataForm, saveMetadata } from '../page/metadata-form.ts';
import type { Outcome, Sent } from '../page/page-operations.ts';
import { portalForm } from '../page/render.ts';
import { apiPath } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';
import { type ConnectionView, isConfigured, isDraft, renderCertificates } from './connection.ts';
import { oidcForm, saveProvider } from './oidc.ts';

/** The values of the service that a guide for the connection's protocol contains. */
const listValues = ({ saml_options: saml, oidc_options: oidc }: ConnectionView) => ({
  ...(saml !== null && {
    acs_url: saml.acs_url,
    sp_entity_id: saml.sp_entity_id,
    sp_metadata_url: saml.sp_metadata_url,
  }),
  ...(oidc !== null && { redirect_uri: oidc.redirect_uri }),
});

/** The first step: the guide for the provider, and the form for the provider's data. */
export async function showConfiguration(visit: Visit, connection: ConnectionView, sent: Sent) {
  const { translate, surroundings } = visit;
  const guide = findSsoGuide(connection.connection_type);
  const provider = nameProvider(visit, guide);
  const name = (surroundings.brand ?? 'Gatehouse').replaceAll(/[^A-Za-z0-9-]/g, '');
  const page = `sso/${connection.id}/configure`;
  return {
    lead: translate('sso.configure_lead', { provider }),
    body: html`<h2>${translate('sso.at_provider', { provider })}</h2>
      ${renderGuide(visit, { ...guide, name: provider }, { ...listValues(connection), name })}
      <h2>${translate('sso.from_provider', { provider })}</h2>
      ${connection.oidc_options === null ? samlForm(visit, connection, sent) : oidcForm(visit, connection, sent)}
      ${
        isDraft(connection) &&
        portalForm(
          visit,
          page,
          html`<button class="plain" type="submit" name="do" value="delete">${translate('sso.delete')}</button>`,
        )
      }`,
  };
}

/** The stored data of a SAML provider, and the form for new data. */
function samlForm(visit: Visit, connection: ConnectionView, sent: Sent): Html {
  const { translate } = visit;
  const { saml_options: saml } = connection;
  return html`${
    isConfigured(connection) &&
    html`<dl class="facts">
      <div>
        <dt>${translate('metadata.entity_id')}</dt>
        <dd>${saml?.idp_entity_id ?? ''}</dd>
      </div>
      <div>
        <dt>${translate('metadata.sso_url')}</dt>
        <dd>${saml?.idp_sso_url ?? ''}</dd>
      </div>
      ${renderCertificates(visit, connection)}
    </dl>`
  }
  ${metadataForm(visit, `sso/${connection.id}/configure`, sent, saml?.idp_metadata_url)}`;
}

/** Saves the data of the identity provider, or deletes a draft. */
export async function configure(visit: Visit, connection: ConnectionView, sent: Sent): Promise<Outcome> {
  const { id, oidc_options: oidc } = connection;
  if (sent.do === 'delete') {
    // The API rejects it for a connection that was active: it decides who can sign in, so only the application deletes it.
    await visit.api('DELETE', apiPath`/connections/${id}`);
    return { to: visit.path('sso?done=deleted') };
  }
  if (oidc === null) await saveMetadata(visit, id, sent);
  else await saveProvider(visit, connection, sent);
  return { to: visit.path(`sso/${id}/test?done=saved`) };
}
