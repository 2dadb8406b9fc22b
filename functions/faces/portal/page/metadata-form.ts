import { field } from '../../../kernel/pages/fields.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { apiPath } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';
import { FormRejection, type Sent } from './page-operations.ts';
import { portalForm } from './render.ts';

/** A text area. */
export const textArea = (name: string, label: string, value: string | undefined, hint: string): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <p class="hint" id="${name}-hint">${hint}</p>
    <textarea id="${name}" name="${name}" aria-describedby="${name}-hint" spellcheck="false" autocomplete="off">
${value ?? ''}</textarea>
  </div>`;

/** The form for an identity provider's data: the URL of its metadata, an uploaded file, or single values. */
export function metadataForm(visit: Visit, page: string, sent: Sent, known?: string | null): Html {
  const { translate, surroundings } = visit;
  const own = (name: string, label: string) =>
    field(
      { name, label, autocomplete: 'off', value: sent[name], optional: true, maxLength: 2_048 },
      surroundings.language,
    );
  // The rejected values are shown again.
  const isByHand = ['idp_entity_id', 'idp_sso_url', 'certificate'].some((name) => (sent[name] ?? '') !== '');
  return portalForm(
    visit,
    page,
    html`<input type="hidden" name="do" value="metadata" />
      ${field(
        {
          name: 'metadata_url',
          label: translate('metadata.url'),
          autocomplete: 'off',
          value: sent.metadata_url ?? known ?? '',
          optional: true,
          maxLength: 2_048,
          hint: translate('metadata.url_hint'),
          more: { inputmode: 'url', spellcheck: 'false' },
        },
        surroundings.language,
      )}
      <p class="or">${surroundings.language.translate('page.or')}</p>
      <div class="field" hidden data-file="metadata">
        <label for="metadata-file">${translate('metadata.choose')}</label>
        <input id="metadata-file" type="file" accept=".xml,text/xml,application/xml" />
      </div>
      ${textArea('metadata', translate('metadata.file'), sent.metadata, translate('metadata.file_hint'))}
      <details ${isByHand && html`open`}>
        <summary>${translate('metadata.by_hand')}</summary>
        <div class="stack">
          ${own('idp_entity_id', translate('metadata.entity_id'))} ${own('idp_sso_url', translate('metadata.sso_url'))}
          ${textArea('certificate', translate('metadata.certificate'), sent.certificate, translate('metadata.pem'))}
        </div>
      </details>
      ${submit(translate('form.save'))}`,
  );
}

/**
 * Stores the data of that form. If several are given, a file has priority over single values, and these over a URL that was
 * stored before.
 */
export async function saveMetadata({ api, translate }: Visit, connectionId: string, sent: Sent): Promise<void> {
  const { metadata_url: url = '', metadata = '', idp_entity_id: entityId = '', idp_sso_url: ssoUrl = '' } = sent;
  const { certificate = '' } = sent;
  const path = apiPath`/connections/${connectionId}`;
  if (metadata !== '') {
    await api('PUT', apiPath`/x/connections/${connectionId}/metadata`, { metadata });
  } else if (entityId !== '' || ssoUrl !== '' || certificate !== '') {
    if (entityId === '' || ssoUrl === '' || certificate === '')
      throw new FormRejection(translate('metadata.incomplete'));
    // The certificate is sent first because it is invalid most often: if it is rejected, nothing has been stored.
    await api('POST', apiPath`/connections/${connectionId}/saml_idp_signing_certs`, { value: certificate });
    const saml_options = { idp_metadata_url: null, idp_entity_id: entityId, idp_sso_url: ssoUrl };
    await api('PATCH', path, { saml_options });
  } else if (url !== '') {
    await api('PATCH', path, { saml_options: { idp_metadata_url: url } });
  } else {
    throw new FormRejection(translate('metadata.nothing'));
  }
}
