import type { Issue } from '../../../kernel/errors.ts';
import type { AuthMethod, ConfigField } from './schema.ts';
import type { ConfigValues } from './template.ts';

/** Config values as they are stored: public ones, and secret ones, which are encrypted. */
export interface SplitConfig {
  presented: Record<string, string>;
  secret: Record<string, string>;
}

/**
 * Describes what is wrong with config values: fields that the provider does not declare (for this level), or values
 * that do not match the pattern.
 */
export function configIssues(
  fields: readonly ConfigField[],
  values: ConfigValues,
  place: 'integration' | 'installation',
): Issue[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = fields.find((one) => one.name === name);
    const at = { field: `config.${name}` };
    if (field === undefined)
      return [{ ...at, code: 'unknown_config_field', message: 'is not a field of this provider' }];
    if (place === 'installation' && field.scope !== 'installation') {
      return [{ ...at, code: 'config_field_scope', message: 'is set on the integration, not with a connection' }];
    }
    return isAllowed(field, value)
      ? []
      : [{ ...at, code: 'invalid_config_value', message: `${describeValues(field)}` }];
  });
}

function isAllowed({ pattern, values }: ConfigField, value: string): boolean {
  if (values !== undefined) return values.includes(value);
  return pattern === undefined || new RegExp(`^(?:${pattern})$`).test(value);
}

const describeValues = ({ values, pattern }: ConfigField): string =>
  values === undefined ? `must match ${pattern ?? 'its pattern'}` : `must be one of ${values.join(', ')}`;

/** The required fields that have no value at any level. */
export function missingConfig(
  fields: readonly ConfigField[],
  method: AuthMethod,
  ...layers: readonly ConfigValues[]
): Issue[] {
  return fields
    .filter(({ name, requiredFor }) => requiredFor.includes(method) && !layers.some((layer) => name in layer))
    .map(({ name }) => ({ field: `config.${name}`, code: 'required', message: 'is required by this provider' }));
}

/** Separates the values of secret fields from the others. */
export function splitConfig(fields: readonly ConfigField[], values: ConfigValues): SplitConfig {
  const isSecret = (name: string) => fields.some((field) => field.name === name && field.secret === true);
  const entries = Object.entries(values);
  return {
    presented: Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    secret: Object.fromEntries(entries.filter(([name]) => isSecret(name))),
  };
}
