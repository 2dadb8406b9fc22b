import type { Resource, Template } from './assembly.ts';

/** Parts that the emulator does not support, with the reason for the report. */
const LACKS: readonly { what: string; is: (resource: Resource) => boolean }[] = [
  { what: 'CodeDeploy', is: ({ Type }) => Type.startsWith('AWS::CodeDeploy::') },
  {
    what: 'alarms on metric math',
    is: ({ Type, Properties }) => Type === 'AWS::CloudWatch::Alarm' && Properties?.Metrics !== undefined,
  },
  { what: 'WAF associations', is: ({ Type }) => Type === 'AWS::WAFv2::WebACLAssociation' },
];

/** A resource that is left out of the deployment to the emulator. */
export interface LeftOut {
  stack: string;
  id: string;
  type: string;
  why: string;
}

/**
 * Removes the parts of a template that the emulator does not support.
 * @throws Error if a remaining part refers to a removed one: such a stage cannot be tested in part
 */
export function withoutLacking(stack: string, template: Template): { template: Template; leftOut: LeftOut[] } {
  const leftOut = Object.entries(template.Resources).flatMap(([id, resource]) => {
    const lack = LACKS.find(({ is }) => is(resource));
    return lack === undefined ? [] : [{ stack, id, type: resource.Type, why: `the emulator has no ${lack.what}` }];
  });
  const gone = new Set(leftOut.map(({ id }) => id));
  const stays = Object.entries(template.Resources).filter(([id]) => !gone.has(id));
  const resources = stays.map(([id, resource]) => [id, ordered(resource, gone)] as const);
  for (const [id, resource] of resources) {
    for (const name of referencesIn(resource)) {
      if (gone.has(name)) throw new Error(`${stack}: ${id} refers to ${name}, which the emulator lacks`);
    }
  }
  return { template: { ...template, Resources: Object.fromEntries(resources) }, leftOut };
}

/** A resource without dependencies on removed ones. */
function ordered({ DependsOn = [], ...resource }: Resource, gone: ReadonlySet<string>): Resource {
  const after = [DependsOn].flat().filter((id) => !gone.has(id));
  return after.length === 0 ? resource : { ...resource, DependsOn: after };
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref' && typeof inner === 'string') return [inner];
    if (key === 'Fn::GetAtt') return [String([inner].flat()[0]).split('.')[0] ?? ''];
    return referencesIn(inner);
  });
}
