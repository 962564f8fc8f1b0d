// Package instance knows the instances of a topic: the things that its samples are about, told apart by a key
// (DDS 1.4 §2.2.1.2.2). A topic without a key has one. It says which samples a reader is to have, by
// exclusive ownership and by a time-based filter. It also says which instances have no writers any more, and
// which have missed their deadline.
//
// It is a pure state machine: package rtps, which tells it what comes and what time it is, stands above it.
package instance
