import type { AssertionValues, SamlAttribute } from './assertion.ts';
import { namesFor, type StandardAttribute } from './attribute-names.ts';

/** The attribute names of a connection. */
export interface AttributeMap {
  /** Names that the administrator chose, and then only these are used. Null means that the attribute is not read. */
  readonly standard: Readonly<Partial<Record<StandardAttribute, string | null>>>;
  /** The provider's names of custom attributes. */
  readonly custom: Readonly<Record<string, string>>;
}

/** The values of a profile, from a verified assertion. */
export interface MappedProfile {
  /**
   * The id at the provider; absent if neither an attribute nor a persistent NameID identifies the user, and then there is
   * no profile.
   */
  readonly idpId?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly name?: string;
  readonly groups: readonly string[];
  /** The custom attributes, with a list if the provider sent several values. */
  readonly custom: Readonly<Record<string, string | readonly string[]>>;
  /** All attributes, under the names that the provider uses. */
  readonly raw: Readonly<Record<string, string | readonly string[]>>;
}

type Subject = Pick<AssertionValues, 'nameId' | 'nameIdFormat' | 'attributes'>;

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Finds an attribute by its name, its friendly name, or its name ignoring case, in this order. */
function findAttribute(attributes: readonly SamlAttribute[], name: string): SamlAttribute | undefined {
  const lower = name.toLowerCase();
  return (
    attributes.find((attribute) => attribute.name === name) ??
    attributes.find(({ friendlyName }) => friendlyName === name) ??
    attributes.find((attribute) => attribute.name.toLowerCase() === lower)
  );
}

/**
 * The values under a name. A transient NameID, which differs at each sign-in, identifies no user; for an email a NameID
 * must look like one.
 */
function readValues(
  { nameId, nameIdFormat, attributes }: Subject,
  name: string,
  attribute?: StandardAttribute,
): readonly string[] {
  if (name.toLowerCase() !== 'nameid') return findAttribute(attributes, name)?.values ?? [];
  if (attribute === 'idp_id' && nameIdFormat === TRANSIENT) return [];
  return attribute === 'email' && !ADDRESS.test(nameId) ? [] : [nameId];
}

/** The values of an attribute: those under the name that the administrator chose, otherwise under the first usual one. */
function readStandard(
  subject: Subject,
  type: string,
  map: AttributeMap,
  attribute: StandardAttribute,
): readonly string[] {
  const chosen = map.standard[attribute];
  if (chosen === null) return [];
  const names = chosen === undefined ? namesFor(type, attribute) : [chosen];
  for (const name of names) {
    const values = readValues(subject, name, attribute);
    if (values.length > 0) return values;
  }
  return [];
}

const single = (values: readonly string[]): string | readonly string[] => {
  const [first, ...more] = values;
  return first !== undefined && more.length === 0 ? first : values;
};

const named = <Name extends string>(name: Name, [value]: readonly string[]): { readonly [key in Name]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: string };

/**
 * Maps a verified assertion to a profile, by the attribute names of the connection and those that providers of its type
 * use.
 * @param connectionType such as `OktaSAML`; an unknown one has the generic names
 */
export function mapProfile(subject: Subject, connectionType: string, map: AttributeMap): MappedProfile {
  const read = (attribute: StandardAttribute): readonly string[] =>
    readStandard(subject, connectionType, map, attribute);
  const custom = Object.entries(map.custom)
    .map(([name, source]) => [name, readValues(subject, source)] as const)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => [name, single(values)] as const);
  return {
    ...named('idpId', read('idp_id')),
    ...named('email', read('email')),
    ...named('firstName', read('first_name')),
    ...named('lastName', read('last_name')),
    ...named('name', read('name')),
    groups: [...new Set(read('groups'))],
    custom: Object.fromEntries(custom),
    raw: Object.fromEntries(subject.attributes.map(({ name, values }) => [name, single(values)])),
  };
}
