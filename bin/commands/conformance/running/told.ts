/** Runs a command, and tells of a deployment that is not there (exit 3) and of a target file that is not true (exit 2) in its own words. */
export async function told(run: () => Promise<void>): Promise<void> {
  const { PreflightError, UntrueTarget } = await import('../../../../conformance/run/preflight.ts');
  try {
    await run();
  } catch (error) {
    if (!(error instanceof PreflightError || error instanceof UntrueTarget)) throw error;
    process.stderr.write(`partnerkit: ${error.message}\n`);
    process.exitCode = error instanceof UntrueTarget ? 2 : 3;
  }
}
