/** The schemas of SCIM resources as data (RFC 7643 sections 4, 7 and 8.7). */

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** An attribute in the form of the endpoint `/Schemas`. */
export interface AttributeDefinition {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference' | 'binary';
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: 'readWrite' | 'readOnly' | 'immutable';
  returned: 'default' | 'always';
  uniqueness: 'none' | 'server';
  canonicalValues?: readonly string[];
  referenceTypes?: readonly string[];
  subAttributes?: readonly AttributeDefinition[];
}

type Traits = Partial<Omit<AttributeDefinition, 'name' | 'description'>>;

const attribute = (name: string, description: string, traits: Traits = {}): AttributeDefinition => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...(traits.type === 'reference' ? { referenceTypes: ['external'] } : {}),
  ...traits,
});

const complex = (
  name: string,
  description: string,
  subAttributes: readonly AttributeDefinition[],
  traits: Traits = {},
) => attribute(name, description, { type: 'complex', subAttributes, ...traits });

const primary = attribute('primary', 'True for the preferred value.', { type: 'boolean' });
const display = attribute('display', 'The value as people read it.');

/** A multi-valued attribute with `value`, `display`, `type` and `primary` (RFC 7643 section 2.4). */
const list = (name: string, description: string, types: readonly string[], value: Traits = {}) =>
  complex(
    name,
    description,
    [
      attribute('value', 'The value.', value),
      display,
      attribute('type', 'What the value is for.', types.length > 0 ? { canonicalValues: types } : {}),
      primary,
    ],
    { multiValued: true },
  );

const text = (name: string, description: string): AttributeDefinition => attribute(name, description);

export const USER_ATTRIBUTES: readonly AttributeDefinition[] = [
  attribute(
    'userName',
    'The name with which the user signs in at the provider; unique in the directory; case does not matter.',
    {
      required: true,
      uniqueness: 'server',
    },
  ),
  complex('name', 'The parts of the name.', [
    text('formatted', 'The full name.'),
    text('familyName', 'The family name.'),
    text('givenName', 'The given name.'),
    text('middleName', 'The middle names.'),
    text('honorificPrefix', 'Titles before the name.'),
    text('honorificSuffix', 'Titles after the name.'),
  ]),
  text('displayName', 'The name as it is displayed.'),
  text('nickName', 'The casual name.'),
  attribute('profileUrl', 'An address of a page about the user.', { type: 'reference' }),
  text('title', 'The job title.'),
  text('userType', 'The relation to the organization.'),
  text('preferredLanguage', 'Preferred languages, as in Accept-Language.'),
  text('locale', 'The locale, such as en-US.'),
  text('timezone', 'The time zone, such as Europe/Berlin.'),
  attribute('active', 'Whether the user may use the application.', { type: 'boolean' }),
  list('emails', 'Email addresses.', ['work', 'home', 'other']),
  list('phoneNumbers', 'Phone numbers.', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
  list('ims', 'Instant messaging addresses.', []),
  list('photos', 'Addresses of photos.', ['photo', 'thumbnail'], { type: 'reference' }),
  complex(
    'addresses',
    'Postal addresses.',
    [
      text('formatted', 'The full address.'),
      text('streetAddress', 'Street and number.'),
      text('locality', 'The city.'),
      text('region', 'The state or region.'),
      text('postalCode', 'The postal code.'),
      text('country', 'The country.'),
      attribute('type', 'What the address is for.', { canonicalValues: ['work', 'home', 'other'] }),
      primary,
    ],
    { multiValued: true },
  ),
  complex(
    'groups',
    'The groups of the user; changed at the groups.',
    [
      attribute('value', 'The id of the group.', { mutability: 'readOnly' }),
      attribute('$ref', 'The address of the group.', {
        type: 'reference',
        referenceTypes: ['Group'],
        mutability: 'readOnly',
      }),
      attribute('display', 'The name of the group.', { mutability: 'readOnly' }),
    ],
    { multiValued: true, mutability: 'readOnly' },
  ),
  list('entitlements', 'Entitlements.', []),
  list('roles', 'Roles at the provider.', []),
  list('x509Certificates', 'Certificates.', [], { type: 'binary', caseExact: true }),
];

export const ENTERPRISE_ATTRIBUTES: readonly AttributeDefinition[] = [
  text('employeeNumber', 'The number of the employee.'),
  text('costCenter', 'The cost center.'),
  text('organization', 'The organization.'),
  text('division', 'The division.'),
  text('department', 'The department.'),
  complex('manager', 'The manager of the user.', [
    text('value', 'The id of the manager.'),
    attribute('$ref', 'The address of the manager.', { type: 'reference', referenceTypes: ['User'] }),
    attribute('displayName', 'The name of the manager.', { mutability: 'readOnly' }),
  ]),
];

export const GROUP_ATTRIBUTES: readonly AttributeDefinition[] = [
  attribute('displayName', 'The name of the group; unique in the directory; case does not matter.', {
    required: true,
    uniqueness: 'server',
  }),
  complex(
    'members',
    'The users of the group.',
    [
      attribute('value', 'The id of the user.', { mutability: 'immutable' }),
      attribute('$ref', 'The address of the user.', {
        type: 'reference',
        referenceTypes: ['User'],
        mutability: 'immutable',
      }),
      attribute('type', 'The kind of the member.', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
    { multiValued: true },
  ),
];

/** Attributes of every resource (RFC 7643 section 3.1), which `/Schemas` does not list. */
const COMMON_ATTRIBUTES: readonly AttributeDefinition[] = [
  attribute('id', 'The id.', { mutability: 'readOnly', returned: 'always', caseExact: true }),
  attribute('externalId', 'The id of the resource at the provider.', { caseExact: true }),
  complex('meta', 'Facts about the resource.', [], { mutability: 'readOnly' }),
  attribute('schemas', 'The schemas of the resource.', { multiValued: true, returned: 'always', caseExact: true }),
];

/** Kinds of resources. */
export type ResourceKind = 'User' | 'Group';

/** The schemas of one kind of resource: its own attributes, and those of extensions by their URN. */
export interface KindDefinition {
  schema: string;
  attributes: readonly AttributeDefinition[];
  extensions: Readonly<Record<string, readonly AttributeDefinition[]>>;
}

export const KINDS: Readonly<Record<ResourceKind, KindDefinition>> = {
  User: {
    schema: USER_SCHEMA,
    attributes: [...COMMON_ATTRIBUTES, ...USER_ATTRIBUTES],
    extensions: { [ENTERPRISE_SCHEMA]: ENTERPRISE_ATTRIBUTES },
  },
  Group: { schema: GROUP_SCHEMA, attributes: [...COMMON_ATTRIBUTES, ...GROUP_ATTRIBUTES], extensions: {} },
};
