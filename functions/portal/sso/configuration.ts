import { html } from '../../kernel/pages/html.ts';
import { findSamlGuide } from '../guide/saml/index.ts';
import { nameProvider, renderGuide } from '../guide/render.ts';
import { metadataForm, saveMetadata } from '../page/metadata-form.ts';
import type { Outcome, Sent } from '../page/page-operations.ts';
import type { Visit } from '../session/visit.ts';
import { type ConnectionView, isConfigured, renderCertificates } from './connection.ts';

/** The first step: the steps at the provider, and the form for the provider's data. */
export async function showConfiguration(visit: Visit, connection: ConnectionView, sent: Sent) {
  const { translate, surroundings } = visit;
  const { saml_options: saml } = connection;
  const guide = findSamlGuide(connection.connection_type);
  const provider = nameProvider(visit, guide);
  const values = {
    acs_url: saml?.acs_url ?? '',
    sp_entity_id: saml?.sp_entity_id ?? '',
    sp_metadata_url: saml?.sp_metadata_url ?? '',
    name: (surroundings.brand ?? 'Gatehouse').replaceAll(/[^A-Za-z0-9-]/g, ''),
  };
  return {
    lead: translate('sso.configure_lead', { provider }),
    body: html`<h2>${translate('sso.at_provider', { provider })}</h2>
      ${renderGuide(visit, { ...guide, name: provider }, values)}
      <h2>${translate('sso.from_provider', { provider })}</h2>
      ${
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
      ${metadataForm(visit, `sso/${connection.id}/configure`, sent, saml?.idp_metadata_url)}`,
  };
}

/** Saves the data of the identity provider. */
export async function configure(visit: Visit, { id }: ConnectionView, sent: Sent): Promise<Outcome> {
  await saveMetadata(visit, id, sent);
  return { to: visit.path(`sso/${id}/test?done=saved`) };
}
