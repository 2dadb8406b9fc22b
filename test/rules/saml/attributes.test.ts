import { describe, expect, test } from '@jest/globals';

import { GENERIC_NAMES, namesFor } from '../../../functions/sign-in/sso/saml/attribute-names.ts';
import { mapProfile, type AttributeMap, type MappedProfile } from '../../../functions/sign-in/sso/saml/attributes.ts';
import { EMAIL_NAME_ID, UNSPECIFIED_NAME_ID } from '../../../functions/sign-in/sso/saml/names.ts';

const NO_MAP: AttributeMap = { standard: {}, custom: {} };
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

interface Sent {
  readonly nameId?: string;
  readonly nameIdFormat?: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly friendly?: Readonly<Record<string, string>>;
}

function map(
  type: string,
  { nameId = 'n', nameIdFormat = UNSPECIFIED_NAME_ID, attributes = {}, friendly = {} }: Sent,
  chosen: AttributeMap = NO_MAP,
): MappedProfile {
  const sent = Object.entries(attributes).map(([name, values]) => ({
    name,
    values,
    ...(friendly[name] === undefined ? {} : { friendlyName: friendly[name] }),
  }));
  return mapProfile({ nameId, nameIdFormat, attributes: sent }, type, chosen);
}

describe('the profile of an assertion', () => {
  test.each<[string, Sent, Partial<MappedProfile>]>([
    [
      'OktaSAML',
      {
        attributes: {
          id: ['00u1'],
          email: ['ada@example.com'],
          firstName: ['Ada'],
          lastName: ['L'],
          groups: ['a', 'b'],
        },
      },
      { idpId: '00u1', email: 'ada@example.com', firstName: 'Ada', lastName: 'L', groups: ['a', 'b'] },
    ],
    [
      'AzureSAML',
      {
        nameId: 'ada@example.com',
        attributes: {
          'http://schemas.microsoft.com/identity/claims/objectidentifier': ['oid'],
          'http://schemas.microsoft.com/identity/claims/displayname': ['Ada L'],
          'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups': ['g1', 'g2'],
          [`${CLAIMS}/givenname`]: ['Ada'],
          [`${CLAIMS}/surname`]: ['L'],
          [`${CLAIMS}/emailaddress`]: ['ada@example.com'],
          [`${CLAIMS}/name`]: ['ada_upn@example.com'],
        },
      },
      { idpId: 'oid', email: 'ada@example.com', firstName: 'Ada', lastName: 'L', name: 'Ada L', groups: ['g1', 'g2'] },
    ],
    [
      'ADFSSAML',
      {
        nameId: 'EX\\ada',
        attributes: { [`${CLAIMS}/upn`]: ['ada@example.com'], 'http://schemas.xmlsoap.org/claims/Group': ['Users'] },
      },
      { idpId: 'EX\\ada', email: 'ada@example.com', groups: ['Users'] },
    ],
    [
      'GoogleSAML',
      { nameId: 'ada@example.com', nameIdFormat: EMAIL_NAME_ID },
      { idpId: 'ada@example.com', email: 'ada@example.com', groups: [] },
    ],
    [
      'OneLoginSAML',
      { nameId: '17', attributes: { 'User.email': ['ada@example.com'], memberOf: ['x'] } },
      { idpId: '17', email: 'ada@example.com', groups: ['x'] },
    ],
    [
      'ShibbolethSAML',
      {
        nameIdFormat: TRANSIENT,
        attributes: {
          'urn:oasis:names:tc:SAML:attribute:pairwise-id': ['p@example.com'],
          'urn:oid:0.9.2342.19200300.100.1.3': ['ada@example.com'],
          'urn:oid:2.5.4.42': ['Ada'],
          'urn:oid:2.5.4.4': ['L'],
        },
      },
      { idpId: 'p@example.com', email: 'ada@example.com', firstName: 'Ada', lastName: 'L' },
    ],
    [
      'SimpleSamlPhpSAML',
      { nameIdFormat: TRANSIENT, attributes: { uid: ['ada'], mail: ['ada@example.com'] } },
      { idpId: 'ada', email: 'ada@example.com' },
    ],
    [
      'GenericSAML',
      { nameId: 'x', attributes: { EMAIL: ['ada@example.com'] } },
      { idpId: 'x', email: 'ada@example.com' },
    ],
    ['NotAType', { nameId: 'x', nameIdFormat: PERSISTENT }, { idpId: 'x' }],
    ['constructor', { nameId: 'x' }, { idpId: 'x' }],
  ])('of %s is found under its usual attribute names', (type, sent, expected) => {
    expect(map(type, sent)).toMatchObject(expected);
  });

  test('uses only the attribute that the administrator chose, even if it is absent', () => {
    const sent = { attributes: { email: ['usual@example.com'], work: ['ada@example.com'] } };
    expect(map('OktaSAML', sent, { standard: { email: 'work' }, custom: {} }).email).toBe('ada@example.com');
    expect(map('OktaSAML', sent, { standard: { email: 'absent' }, custom: {} })).not.toHaveProperty('email');
    expect(
      map('OktaSAML', { attributes: { groups: ['a'] } }, { standard: { groups: null }, custom: {} }).groups,
    ).toEqual([]);
    expect(map('OktaSAML', sent, { standard: { idp_id: 'NameID' }, custom: {} }).idpId).toBe('n');
  });

  test('has no id if the NameID is transient, since that differs at each sign-in', () => {
    expect(map('GenericSAML', { nameIdFormat: TRANSIENT })).not.toHaveProperty('idpId');
  });

  test('has no email if the NameID is not an email address', () => {
    expect(map('GenericSAML', { nameId: 'ada' })).not.toHaveProperty('email');
  });

  test('prefers an exact attribute name to a friendly name, and a friendly name to an attribute name in another letter case', () => {
    const attributes = { MAIL: ['case@example.com'], 'urn:x': ['friendly@example.com'], mail: ['exact@example.com'] };
    const chosen = { standard: { email: 'mail' }, custom: {} };
    const friendly = { 'urn:x': 'mail' };
    expect(map('GenericSAML', { attributes, friendly }, chosen).email).toBe('exact@example.com');
    const { mail: _, ...others } = attributes;
    expect(map('GenericSAML', { attributes: others, friendly }, chosen).email).toBe('friendly@example.com');
    expect(map('GenericSAML', { attributes: others }, chosen).email).toBe('case@example.com');
  });

  test('has custom attributes with one value or a list, and all raw attributes, whatever their names', () => {
    const attributes = { department: ['R&D'], roles: ['a', 'b'], __proto__x: ['y'], none: [] };
    const { custom, raw } = map(
      'GenericSAML',
      { attributes },
      { standard: {}, custom: { team: 'department', jobs: 'roles', absent: 'absent', subject: 'NameID' } },
    );
    expect(custom).toEqual({ team: 'R&D', jobs: ['a', 'b'], subject: 'n' });
    expect(raw).toEqual({ department: 'R&D', roles: ['a', 'b'], __proto__x: 'y', none: [] });
  });

  test('contains each group once', () => {
    expect(map('GenericSAML', { attributes: { groups: ['a', 'b', 'a'] } }).groups).toEqual(['a', 'b']);
  });
});

test('the attribute names of a provider type are tried before the generic names, which every type has', () => {
  for (const attribute of ['idp_id', 'email', 'first_name', 'last_name', 'name', 'groups'] as const) {
    expect(namesFor('AzureSAML', attribute).slice(-GENERIC_NAMES[attribute].length)).toEqual(GENERIC_NAMES[attribute]);
  }
});
