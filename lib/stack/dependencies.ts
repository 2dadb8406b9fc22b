import { CfnResource, type IAspect } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Removes a redundant dependency of the CDK: a function's DependsOn its role, to which it refers anyway. The roles are
 * complete, so there is no separate policy that must be created before the function.
 */
export class OrderOnce implements IAspect {
  visit(node: IConstruct): void {
    if (CfnResource.isCfnResource(node) && node.cfnResourceType === 'AWS::Lambda::Function') {
      node.addDeletionOverride('DependsOn');
    }
  }
}
