import type { ConnectionRecord, OidcPart, SamlPart, StoredCertificate } from './entity.ts';

/** The parts of a connection that determine whether it is complete. */
type Parts = Pick<ConnectionRecord, 'protocol'> & { saml?: unknown; oidc?: unknown };

/** The SAML options of a connection; undefined for another protocol. */
export const samlIn = ({ protocol, saml }: Parts): SamlPart | undefined =>
  protocol === 'saml' ? (saml as SamlPart | undefined) : undefined;

/** The OpenID Connect options of a connection; undefined for another protocol. */
export const oidcIn = ({ protocol, oidc }: Parts): OidcPart | undefined =>
  protocol === 'oidc' ? (oidc as OidcPart | undefined) : undefined;

/** Reports whether a certificate can be used at a time, in milliseconds since the epoch. */
export const isUnexpired = ({ notAfter }: Pick<StoredCertificate, 'notAfter'>, now: number): boolean =>
  notAfter === null || Date.parse(notAfter) > now;

/** Reports whether a connection has all data that a sign-in needs, except for an unexpired certificate. */
export function isComplete(parts: Parts): boolean {
  const saml = samlIn(parts);
  if (saml !== undefined) {
    const { idpEntityId, idpSsoUrl, idpCertificates } = saml;
    return idpEntityId !== undefined && idpSsoUrl !== undefined && idpCertificates.length > 0;
  }
  return oidcIn(parts) !== undefined;
}

/** Reports whether a connection has never been active, so that no user signs in through it. */
export const isDraft = ({ state }: Pick<ConnectionRecord, 'state'>): boolean =>
  state === 'draft' || state === 'requires_type';

/** Reports whether every certificate of the identity provider has expired. */
export const hasOnlyExpired = (parts: Parts, now: number): boolean =>
  samlIn(parts)?.idpCertificates.every((one) => !isUnexpired(one, now)) === true;

/** The attribute names of a connection: the provider's own name for each name in profiles. */
export interface AttributeMaps {
  standard: Readonly<Record<string, string | null | undefined>>;
  custom: Readonly<Record<string, string>>;
}

/** The attribute names of a request, in their stored form. */
export interface GivenMaps {
  standard_attributes?: Readonly<Record<string, string | null | undefined>> | undefined;
  custom_attributes?: Readonly<Record<string, string | null>> | undefined;
}

/**
 * Applies the attribute names of a request. Only members that it names change, and a custom attribute with null is removed.
 */
export function changedMaps(former: AttributeMaps, given: GivenMaps | undefined): AttributeMaps {
  const standard = Object.entries({ ...former.standard, ...given?.standard_attributes });
  const custom = Object.entries({ ...former.custom, ...given?.custom_attributes });
  return {
    standard: Object.fromEntries(standard.filter(([, value]) => value !== undefined)),
    custom: Object.fromEntries(custom.filter((pair): pair is [string, string] => pair[1] !== null)),
  };
}
