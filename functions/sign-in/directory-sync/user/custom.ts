import { ENTERPRISE_SCHEMA } from '../scim/definitions.ts';
import { parsePath, selectValues } from '../scim/path.ts';
import { ScimProblem } from '../scim/problem.ts';

/** Custom attributes that every directory has unless its administrator disables them, with the paths of their values. */
const PREDEFINED: Readonly<Record<string, string>> = {
  addresses: 'addresses',
  cost_center_name: `${ENTERPRISE_SCHEMA}:costCenter`,
  department_name: `${ENTERPRISE_SCHEMA}:department`,
  division_name: `${ENTERPRISE_SCHEMA}:division`,
  emails: 'emails',
  employee_number: `${ENTERPRISE_SCHEMA}:employeeNumber`,
  employee_type: 'userType',
  job_title: 'title',
  manager_email: `${ENTERPRISE_SCHEMA}:manager.value`,
  phone_numbers: 'phoneNumbers',
  preferred_language: 'preferredLanguage',
  username: 'userName',
};

/** Reports whether a text is a path of an attribute. */
export function isAttributePath(text: string): boolean {
  try {
    parsePath(text);
    return true;
  } catch (error) {
    if (error instanceof ScimProblem) return false;
    throw error;
  }
}

/** Reports whether a manager is given by an email address; some providers send that instead of an id. */
const isAddress = (value: unknown): boolean => typeof value === 'string' && value.includes('@');

/**
 * The custom attributes of a user: the predefined ones and a directory's own, each with the value at its path. Attributes
 * without a value are left out.
 * @param own paths by name; null disables a predefined attribute
 */
export function computeCustomAttributes(
  resource: Record<string, unknown>,
  own: Readonly<Record<string, string | null>>,
): Record<string, unknown> {
  const paths = Object.entries({ ...PREDEFINED, ...own });
  return Object.fromEntries(
    paths.flatMap(([name, path]) => {
      if (path === null) return [];
      const { values, isList } = selectValues(resource, parsePath(path));
      if (name === 'manager_email' && !Object.hasOwn(own, name) && !values.some(isAddress)) return [];
      if (values.length === 0) return [];
      return [[name, isList ? values : values[0]] as const];
    }),
  );
}
