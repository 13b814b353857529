import { defects } from '../../conformance/proof/defects/index.ts';
import type { Mock } from '../index.ts';

/**
 * What breaks a mock in the way of one defect that conformance is proved with: shows that a test can fail.
 * @throws Error when there is no defect of this id that stands between client and mock
 */
export function plantDefect(id: string): (mock: Mock) => Mock['handle'] {
  const around = defects.find((defect) => defect.id === id)?.around;
  if (around === undefined) throw new Error(`conformance/proof/defects has no defect ${id} around a mock`);
  return (mock) => around({ mock, handle: mock.handle, reached() {} });
}
