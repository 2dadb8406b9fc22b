import { CfnResource, type IAspect } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Takes away what the CDK says twice: that a function comes after its role, to which it refers anyway. The roles are written
 * whole, so there is no policy that would have to come between the two.
 */
export class OrderOnce implements IAspect {
  visit(node: IConstruct): void {
    if (CfnResource.isCfnResource(node) && node.cfnResourceType === 'AWS::Lambda::Function') {
      node.addDeletionOverride('DependsOn');
    }
  }
}
