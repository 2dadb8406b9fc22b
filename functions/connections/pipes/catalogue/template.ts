/** Values of config fields by name. */
export type ConfigValues = Readonly<Record<string, string>>;

const PLACE = /\{([a-z][a-z0-9_]*)\}/g;

/** The names of the config fields for which a template has placeholders. */
export const listPlaceholders = (template: string): string[] =>
  [...template.matchAll(PLACE)].map(([, name = '']) => name);

/** The error for a placeholder of the template that has no value. */
export class MissingConfig extends Error {
  readonly field: string;

  constructor(field: string) {
    super(`The config field ${field} has no value`);
    this.name = 'MissingConfig';
    this.field = field;
  }
}

/**
 * Replaces the placeholders of a template by config values. Values were checked against their field's pattern when they
 * were stored; characters that an address must never take from a value (a slash, an @, a colon, a #) are rejected here
 * again.
 * @throws MissingConfig for a placeholder without a value
 */
export function fill(template: string, values: ConfigValues): string {
  return template.replace(PLACE, (_place, name: string) => {
    const value = values[name];
    if (value === undefined || !/^[A-Za-z0-9._-]+$/.test(value)) throw new MissingConfig(name);
    return value;
  });
}
