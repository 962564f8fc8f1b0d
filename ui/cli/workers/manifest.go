package workers

import (
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

type (
	object = map[string]any
	list   = []any
)

// Resources of a worker; deploy/README.md says where they are from.
const cpu, memory, memoryMost = "100m", "64Mi", "512Mi"

// Kubernetes writes a Job for each simulation. Worlds that are files are those of the image.
func Kubernetes(out io.Writer, all []Simulation, image string, more []string) error {
	write := yaml.NewEncoder(out)
	write.SetIndent(2)
	for i := range all {
		name := all[i].label(i)
		labels := object{"app.kubernetes.io/name": "simdeck-worker", "app.kubernetes.io/instance": name}
		err := write.Encode(object{"apiVersion": "batch/v1", "kind": "Job",
			"metadata": object{"name": name, "labels": labels},
			"spec": object{
				"backoffLimit": 20,
				"template": object{"metadata": object{"labels": labels},
					"spec": pod(&all[i], image, more)},
			}})
		if err != nil {
			return fmt.Errorf("manifest: %w", err)
		}
	}
	return write.Close()
}

// pod is the pod of a worker: not as root, on a file system that it cannot write.
func pod(s *Simulation, image string, more []string) object {
	return object{
		"restartPolicy": "OnFailure", "automountServiceAccountToken": false, "terminationGracePeriodSeconds": 10,
		"securityContext": object{"runAsNonRoot": true, "runAsUser": 65532,
			"seccompProfile": object{"type": "RuntimeDefault"}},
		"volumes": list{object{"name": "scratch", "emptyDir": object{"sizeLimit": "256Mi"}}},
		"containers": list{object{
			"name": "worker", "image": image, "args": literal(s.Args(more)),
			"env":          list{object{"name": "HOME", "value": "/tmp"}},
			"volumeMounts": list{object{"name": "scratch", "mountPath": "/tmp"}},
			"resources": object{"requests": object{"cpu": cpu, "memory": memory},
				"limits": object{"memory": memoryMost, "ephemeral-storage": "512Mi"}},
			"securityContext": object{"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true,
				"capabilities": object{"drop": list{"ALL"}}},
		}},
	}
}

// literal are arguments in which nothing stands for a variable.
func literal(args []string) (all []string) {
	for _, a := range args {
		all = append(all, strings.ReplaceAll(a, "$", "$$"))
	}
	return all
}

// Swarm writes a stack with a service for each simulation.
func Swarm(out io.Writer, all []Simulation, image string, more []string) error {
	services := object{}
	for i := range all {
		services[all[i].label(i)] = object{
			"image": image, "command": literal(all[i].Args(more)), "environment": object{"HOME": "/tmp"},
			"user": "65532:65532", "read_only": true, "cap_drop": list{"ALL"}, "tmpfs": list{"/tmp"},
			"init": false, "stop_signal": "SIGTERM", "stop_grace_period": "10s", "networks": list{"ros"},
			"deploy": object{"replicas": 1,
				"restart_policy": object{"condition": "on-failure", "delay": "2s"},
				"resources": object{"reservations": object{"cpus": "0.10", "memory": "64M"},
					"limits": object{"memory": "512M", "pids": 512}}},
		}
	}
	write := yaml.NewEncoder(out)
	write.SetIndent(2)
	err := write.Encode(object{"services": services,
		"networks": object{"ros": object{"driver": "overlay", "attachable": true}}})
	if err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	return write.Close()
}
