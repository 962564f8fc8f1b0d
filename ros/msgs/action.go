package msgs

// Action describes an action whose goal, result and feedback structs are G, R and F. Each New function gives
// a message of the action's wire, with defaults, and pointers to its parts.
type Action[G, R, F any] struct {
	Name              string // "simulation_interfaces/action/SimulateSteps"
	Hash              string // RIHS01 hash of the action as a whole
	GoalHash          string // of its send_goal service
	ResultHash        string // of its get_result service
	NewGoalRequest    func() GoalRequest[G]
	NewGoalResponse   func() GoalResponse
	NewResultRequest  func() ResultRequest
	NewResultResponse func() ResultResponse[R]
	NewFeedback       func() FeedbackMessage[F]
}

// GoalRequest is the request of the send_goal service (A_SendGoal_Request).
type GoalRequest[G any] struct {
	Message
	ID   *[16]uint8
	Goal *G
}

// GoalResponse is the response of the send_goal service (A_SendGoal_Response); the time is that of the
// acceptance.
type GoalResponse struct {
	Message
	Accepted *bool
	Sec      *int32
	Nanosec  *uint32
}

// ResultRequest is the request of the get_result service (A_GetResult_Request).
type ResultRequest struct {
	Message
	ID *[16]uint8
}

// ResultResponse is the response of the get_result service (A_GetResult_Response); the status is one of the
// constants of action_msgs/msg/GoalStatus.
type ResultResponse[R any] struct {
	Message
	Status *int8
	Result *R
}

// FeedbackMessage is the message of the feedback topic (A_FeedbackMessage).
type FeedbackMessage[F any] struct {
	Message
	ID       *[16]uint8
	Feedback *F
}
