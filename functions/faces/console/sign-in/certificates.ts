import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage, isMissing, type Part, type Sent } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { given, linesField } from '../view/fields.ts';
import { type List, panel, tableOr } from '../view/parts.ts';
import { code, when } from '../view/values.ts';

/** The longest PEM of a key or certificate in a form, in characters: the API takes as many. */
const LONGEST_PEM = 16_384;

interface Certificate {
  id: string;
  value: string;
  not_before: string | null;
  not_after: string | null;
  created_at: string;
}

const ofConnection = ({ params: { id } }: Visit) => ({ connectionId: id });

/** Declares the deletion of a certificate or key pair of a connection. */
const makeRemoval = (name: string, resource: string): Act => ({
  name,
  label: 'Delete',
  operation: `${resource}.delete`,
  call: ({ id: certificateId }, visit) => call(`${resource}.delete`, { ...ofConnection(visit), certificateId }),
  done: 'The certificate is deleted.',
});

const addCertificate: Act = {
  name: 'add-idp-certificate',
  label: 'Add a certificate',
  operation: 'saml_idp_signing_certs.create',
  call: ({ value }, visit) => call('saml_idp_signing_certs.create', ofConnection(visit), {}, { value }),
  done: 'The certificate is added. Responses that are signed by any of the unexpired certificates are accepted.',
};

/** The key pair of a form; without both fields the service generates one. */
const readPair = ({ key, cert }: Sent) => ({ key: given(key), cert: given(cert) });

const createSigningPair: Act = {
  name: 'create-signing-pair',
  label: 'Create a key pair',
  operation: 'saml_sp_signing_cert.create',
  call: (sent, visit) => call('saml_sp_signing_cert.create', ofConnection(visit), {}, readPair(sent)),
  done: 'Requests to the identity provider are signed from now on.',
};

const createEncryptionPair: Act = {
  name: 'create-encryption-pair',
  label: 'Create a further key pair',
  operation: 'saml_sp_encryption_certs.create',
  call: (sent, visit) => call('saml_sp_encryption_certs.create', ofConnection(visit), {}, readPair(sent)),
  done: 'The key pair is created. The metadata of the connection has its certificate; give it to the identity provider.',
};

const deleteCertificate = makeRemoval('delete-idp-certificate', 'saml_idp_signing_certs');
const deleteSigningPair = makeRemoval('delete-signing-pair', 'saml_sp_signing_cert');
const deleteEncryptionPair = makeRemoval('delete-encryption-pair', 'saml_sp_encryption_certs');

/** The fields of an own key pair. The private key is not shown again, whatever becomes of the form. */
const pairFields = (kept: Sent | undefined): Html =>
  html`${linesField(kept, { name: 'cert', label: 'Certificate in PEM; the service generates a pair if both fields are empty', most: LONGEST_PEM })}
  ${linesField(undefined, { name: 'key', label: 'Its private RSA key in PEM, which no page shows again', most: LONGEST_PEM })}`;

/** The certificates of one kind with their deletion. @param effect The effect of a deletion, in a sentence */
const renderCertificates = (
  visit: Visit,
  title: string,
  data: readonly Certificate[],
  { removal, effect, none }: { removal: Act; effect: string; none: string },
): Html =>
  tableOr(
    title,
    [
      {
        title: 'Certificate',
        cell: (each) =>
          html`${code(each.id)}
            <details>
              <summary>PEM</summary>
              <pre tabindex="0" aria-label="Certificate ${each.id}"><code>${each.value}</code></pre>
            </details>`,
      },
      { title: 'Valid from', look: 'when', cell: (each) => when(each.not_before) },
      { title: 'Valid until', look: 'when', cell: (each) => when(each.not_after) },
      { title: 'Added', look: 'when', cell: (each) => when(each.created_at) },
      {
        title: 'Change',
        cell: ({ id }) => renderAct(visit, removal, { fields: { id }, effect, of: id, look: 'danger', typed: id }),
      },
    ],
    data,
    none,
  );

/** The certificates and key pairs of a SAML connection. A pair is rotated by creating the next one before the former is deleted. */
export const certificatesPage = consolePage({
  path: 'e/{environment}/connections/{id}/certificates',
  title: 'Certificates and keys',
  permission: 'config.read',
  parent: 'e/{environment}/connections/{id}',
  main: 'connection',
  acts: [
    addCertificate,
    deleteCertificate,
    createSigningPair,
    deleteSigningPair,
    createEncryptionPair,
    deleteEncryptionPair,
  ],
  calls: (visit) => ({
    connection: call<{ name: string }>('sso_connections.get', { id: visit.params.id }),
    trusted: call<List<Certificate>>('saml_idp_signing_certs.list', ofConnection(visit)),
    signing: call<Certificate>('saml_sp_signing_cert.get', ofConnection(visit)),
    encryption: call<List<Certificate>>('saml_sp_encryption_certs.list', ofConnection(visit)),
  }),
  heading: ({ connection }) =>
    connection.state === 'shown' ? { title: `${connection.value.name}: certificates and keys` } : undefined,
  view: ({ trusted, signing, encryption }, visit) =>
    html`${panel(
      'Certificates with which the identity provider signs',
      trusted,
      ({ data }) =>
        html`${renderCertificates(visit, 'Certificates of the identity provider', data, {
            removal: deleteCertificate,
            effect:
              'Responses that the identity provider signs with its key are rejected. The last certificate cannot be deleted.',
            none: 'No certificate yet: no response can be verified.',
          })}
          <div class="pad">
            ${renderAct(visit, addCertificate, {
              fields: {},
              effect:
                'Responses that the identity provider signs with its key are accepted in addition to those so far.',
              more: (kept) =>
                linesField(kept, {
                  name: 'value',
                  label: 'Certificate in PEM',
                  isRequired: true,
                  most: LONGEST_PEM,
                }),
            })}
          </div>`,
    )}
    ${panel('Key pair that signs requests', listOne(signing), ({ data }) => renderSigningPair(visit, data))}
    ${panel(
      'Key pairs for encrypted assertions',
      encryption,
      ({ data }) =>
        html`${renderCertificates(visit, 'Key pairs for encryption', data, {
            removal: deleteEncryptionPair,
            effect: 'Assertions that the identity provider encrypts for it can no longer be read.',
            none: 'No key pair: the identity provider cannot encrypt assertions.',
          })}
          <div class="pad">
            ${renderAct(visit, createEncryptionPair, {
              fields: {},
              effect:
                'Assertions that are encrypted for any of the key pairs are read. The metadata has the newest one.',
              more: pairFields,
            })}
          </div>`,
    )}`,
});

/** A connection has at most one pair that signs: none is an empty list. */
function listOne(part: Part<Certificate>): Part<List<Certificate>> {
  if (part.state === 'shown') return { state: 'shown', value: { data: [part.value] } };
  return isMissing(part) ? { state: 'shown', value: { data: [] } } : part;
}

const renderSigningPair = (visit: Visit, data: readonly Certificate[]): Html =>
  html`${renderCertificates(visit, 'Key pair that signs requests', data, {
    removal: deleteSigningPair,
    effect: 'Requests to the identity provider are no longer signed. One that requires it rejects them.',
    none: 'No key pair: requests are not signed.',
  })}
  ${
    data.length === 0 &&
    html`<div class="pad">
      ${renderAct(visit, createSigningPair, {
        fields: {},
        effect: 'Requests to the identity provider are signed from then on. A connection has one key pair for it.',
        more: pairFields,
      })}
    </div>`
  }`;

/** The link to the certificates of a connection. */
export const renderCertificatesLink = (visit: Visit): Html =>
  html`<a href="${addressIn(visit, 'connections', visit.params.id ?? '', 'certificates')}">Certificates and keys</a>`;
