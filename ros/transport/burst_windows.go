package transport

import "simdeck/ros/rtps/wire"

// unicast sends one datagram: Windows takes no more in a call. It always waits, which takes no time there.
func (u *UDP) unicast(all []wire.Datagram, _ bool) (int, error) {
	if err := u.Send(all[0].Append(nil), all[0].To, all[0].Link); err != nil {
		return 0, err
	}
	return 1, nil
}
