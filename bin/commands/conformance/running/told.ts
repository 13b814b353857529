/** Runs a command. Reports a deployment that cannot be reached (exit 3) and a target file that does not match it (exit 2). */
export async function told(run: () => Promise<void>): Promise<void> {
  const { PreflightError, UntrueTarget } = await import('../../../../conformance/run/preflight/reachable.ts');
  try {
    await run();
  } catch (error) {
    if (!(error instanceof PreflightError || error instanceof UntrueTarget)) throw error;
    process.stderr.write(`partnerkit: ${error.message}\n`);
    process.exitCode = error instanceof UntrueTarget ? 2 : 3;
  }
}
