/** The attributes of a profile for which a connection can name other attributes of the provider. */
const STANDARD_ATTRIBUTES = ['idp_id', 'email', 'first_name', 'last_name', 'name', 'groups'] as const;

export type StandardAttribute = (typeof STANDARD_ATTRIBUTES)[number];

/**
 * The names of each attribute, of which the first one that is present is used. `NameID` is the subject of the assertion.
 */
export type AttributeNames = Readonly<Record<StandardAttribute, readonly string[]>>;

/** The claims of WS-Federation, which Entra and ADFS also use in SAML. */
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const MICROSOFT = 'http://schemas.microsoft.com';

/** LDAP attributes by OID (RFC 4519, RFC 4524, eduPerson), which Shibboleth and SimpleSAMLphp use as names. */
const OID = {
  eduPersonTargetedId: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.10',
  pairwiseId: 'urn:oasis:names:tc:SAML:attribute:pairwise-id',
  subjectId: 'urn:oasis:names:tc:SAML:attribute:subject-id',
  mail: 'urn:oid:0.9.2342.19200300.100.1.3',
  givenName: 'urn:oid:2.5.4.42',
  surname: 'urn:oid:2.5.4.4',
  displayName: 'urn:oid:2.16.840.1.113730.3.1.241',
  commonName: 'urn:oid:2.5.4.3',
  isMemberOf: 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
  eduPersonEntitlement: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.7',
} as const;

/** Attribute names that any provider may use: plain names, claim URIs and OIDs. */
export const GENERIC_NAMES: AttributeNames = {
  idp_id: ['id', 'idp_id', 'NameID'],
  email: ['email', 'mail', 'emailAddress', 'User.email', 'Email', `${CLAIMS}/emailaddress`, OID.mail, 'NameID'],
  first_name: [
    'firstName',
    'first_name',
    'givenName',
    'given_name',
    'User.FirstName',
    `${CLAIMS}/givenname`,
    OID.givenName,
  ],
  last_name: [
    'lastName',
    'last_name',
    'sn',
    'surname',
    'family_name',
    'User.LastName',
    `${CLAIMS}/surname`,
    OID.surname,
  ],
  name: [
    'name',
    'displayName',
    'display_name',
    'cn',
    `${MICROSOFT}/identity/claims/displayname`,
    OID.displayName,
    OID.commonName,
  ],
  groups: [
    'groups',
    'group',
    'memberOf',
    'member_of',
    `${MICROSOFT}/ws/2008/06/identity/claims/groups`,
    'http://schemas.xmlsoap.org/claims/Group',
    OID.isMemberOf,
  ],
};

/** Names that are tried before the generic ones, by type of connection. */
const NAMES_BY_TYPE: Readonly<Record<string, Partial<AttributeNames>>> = {
  ADFSSAML: {
    idp_id: [`${CLAIMS}/nameidentifier`, 'NameID'],
    email: [`${CLAIMS}/emailaddress`, `${CLAIMS}/upn`],
    name: [`${CLAIMS}/name`, 'http://schemas.xmlsoap.org/claims/CommonName'],
    groups: ['http://schemas.xmlsoap.org/claims/Group', `${MICROSOFT}/ws/2008/06/identity/claims/role`],
  },
  Auth0SAML: {
    idp_id: [`${CLAIMS}/nameidentifier`, 'NameID'],
    email: [`${CLAIMS}/emailaddress`],
    name: [`${CLAIMS}/name`],
    groups: ['http://schemas.auth0.com/groups', 'http://schemas.auth0.com/roles'],
  },
  // The object ID never changes. The name identifier of Entra is the user principal name unless an administrator changes
  // that.
  AzureSAML: {
    idp_id: [`${MICROSOFT}/identity/claims/objectidentifier`, 'NameID'],
    email: [`${CLAIMS}/emailaddress`, `${CLAIMS}/name`],
    name: [`${MICROSOFT}/identity/claims/displayname`],
    groups: [`${MICROSOFT}/ws/2008/06/identity/claims/groups`, `${MICROSOFT}/ws/2008/06/identity/claims/role`],
  },
  GoogleSAML: { first_name: ['firstName', 'first_name'], last_name: ['lastName', 'last_name'], groups: ['groups'] },
  JumpCloudSAML: {
    first_name: ['firstname', 'firstName'],
    last_name: ['lastname', 'lastName'],
    groups: ['memberOf', 'groups'],
  },
  KeycloakSAML: { groups: ['groups', 'Role', 'member'] },
  OktaSAML: { idp_id: ['id', 'NameID'], groups: ['groups'] },
  OneLoginSAML: { idp_id: ['id', 'NameID'], email: ['User.email', 'email'], groups: ['memberOf', 'groups'] },
  PingFederateSAML: { idp_id: ['id', 'SAML_SUBJECT', 'NameID'] },
  PingOneSAML: { idp_id: ['id', 'saml_subject', 'NameID'], groups: ['groups', 'memberOf'] },
  SalesforceSAML: { idp_id: ['userId', 'NameID'], email: ['email'], name: ['username'] },
  ShibbolethGenericSAML: {
    idp_id: [OID.pairwiseId, OID.subjectId, OID.eduPersonTargetedId, 'NameID'],
    groups: [OID.isMemberOf, OID.eduPersonEntitlement],
  },
  ShibbolethSAML: {
    idp_id: [OID.pairwiseId, OID.subjectId, OID.eduPersonTargetedId, 'NameID'],
    groups: [OID.isMemberOf, OID.eduPersonEntitlement],
  },
  SimpleSamlPhpSAML: {
    idp_id: [OID.pairwiseId, OID.subjectId, OID.eduPersonTargetedId, 'uid', 'NameID'],
    groups: ['groups', OID.isMemberOf, 'eduPersonAffiliation'],
  },
};

/** The names of an attribute for a type of connection, those of the type first. */
export const namesFor = (connectionType: string, attribute: StandardAttribute): readonly string[] => [
  ...((Object.hasOwn(NAMES_BY_TYPE, connectionType) ? NAMES_BY_TYPE[connectionType]?.[attribute] : undefined) ?? []),
  ...GENERIC_NAMES[attribute],
];
