import * as z from 'zod';

import { listSchema } from '../../../kernel/pagination.ts';
import { secret, timestamp } from '../../../kernel/values.ts';
import type { StoredCertificate } from '../connection/entity.ts';

const certificate = <const Kind extends string>(kind: Kind, id: string) =>
  z
    .object({
      object: z.literal(kind),
      id: z.string(),
      value: z.string().describe('The X.509 certificate in PEM.'),
      not_before: timestamp.nullable(),
      not_after: timestamp.nullable(),
      created_at: timestamp,
    })
    .meta({ id });

export const IdpCertificate = certificate('saml_idp_signing_certificate', 'SamlIdpSigningCertificate');
export const EncryptionCertificate = certificate('saml_sp_encryption_certificate', 'SamlSpEncryptionCertificate');
export const SigningCertificate = certificate('saml_sp_signing_certificate', 'SamlSpSigningCertificate');

export const IdpCertificateList = listSchema(IdpCertificate).meta({ id: 'SamlIdpSigningCertificateList' });
export const EncryptionCertificateList = listSchema(EncryptionCertificate).meta({
  id: 'SamlSpEncryptionCertificateList',
});

export const CreateIdpCertificate = z
  .object({ value: z.string().min(1).max(16_384).describe('The X.509 certificate in PEM or base64.') })
  .meta({ id: 'CreateSamlIdpSigningCertificateDto' });

/** A stored certificate as callers see it. */
export const presentCertificate = <const Kind extends string>(
  kind: Kind,
  { id, value, notBefore, notAfter, createdAt }: StoredCertificate,
) => ({ object: kind, id, value, not_before: notBefore, not_after: notAfter, created_at: createdAt });

/** A key pair of the caller. Without its members, a new pair is made. */
export const BroughtPair = z
  .object({
    key: secret.min(1).max(16_384).optional().describe('A private RSA key in PEM; required with `cert`.'),
    cert: z.string().min(1).max(16_384).optional(),
  })
  .meta({ id: 'SamlSpKeyPair' });
