/** Whether it is a failure that something cannot be rehearsed here: on machines that are set up to rehearse all of it. */
export const mustLeaveNothingOut = () => process.env.SVC_LEAVE_NOTHING_OUT === '1';
